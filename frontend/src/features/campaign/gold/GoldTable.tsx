import { Button, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import { when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import classes from "../campaign.module.css";
import { Ratings } from "../Ratings";
import { says } from "../strings";
import type { Rated } from "./GoldPage";

const HEADS = [says.gold.problem, says.gold.ratings, says.gold.set, says.gold.version, says.gold.author, ""];

/** The newest version of each solution's gold. */
export function GoldTable({ set, onOpen }: { set: string; onOpen: (rated: Rated) => void }) {
  const [page, setPage] = useState(1);
  const query = { is_newest: true, page, page_size: 20, ...(set && { gold_set: set }) };
  const golds = useQuery({ ...reading("/api/gold/", { query }), placeholderData: keepPreviousData });
  return (
    <Listing query={golds} none={says.gold.none} page={page} onPage={setPage} heads={HEADS} width={760}>
      {(gold) => (
        <Table.Tr key={gold.id}>
          <Table.Td><div className={classes.statement}><MathText text={gold.statement} /></div></Table.Td>
          <Table.Td><Ratings ratings={gold.ratings} /></Table.Td>
          <Table.Td>{gold.gold_set || says.gold.out}</Table.Td>
          <Table.Td>{gold.version}</Table.Td>
          <Table.Td><bdi>{gold.author ?? says.gold.nobody}</bdi><Text size="xs" c="dimmed">{when(gold.created_at)}</Text></Table.Td>
          <Table.Td><Button size="compact-sm" variant="default" aria-label={says.gold.open(gold.statement)} onClick={() => onOpen(gold)}>{says.gold.openOne}</Button></Table.Td>
        </Table.Tr>
      )}
    </Listing>
  );
}
