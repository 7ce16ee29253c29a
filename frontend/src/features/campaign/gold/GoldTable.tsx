import { Button, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import classes from "../campaign.module.css";
import { Ratings } from "../Ratings";
import { says } from "../strings";
import type { Rated } from "./GoldWork";

const HEADS = [says.gold.problem, says.gold.ratings, says.gold.set, says.gold.version, says.gold.author, ""];

/** The newest version of each solution's gold. */
export function GoldTable({ set, onOpen }: { set: string; onOpen: (rated: Rated) => void }) {
  const [page, setPage] = useState(1);
  const golds = useQuery({
    queryKey: ["gold", "list", set, page],
    queryFn: () => dataOf(client.GET("/api/gold/", { params: { query: { is_newest: true, page, page_size: 20, ...(set && { gold_set: set }) } } })),
    placeholderData: (shown) => shown,
  });
  return (
    <Loaded query={golds}>
      {(list) => (list.results.length === 0 ? <Text c="dimmed">{says.gold.none}</Text> : (
        <div>
          <Panel isFlush>
            <Table verticalSpacing="sm" miw={760}>
              <Table.Thead><Table.Tr>{HEADS.map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
              <Table.Tbody>
                {list.results.map((gold) => (
                  <Table.Tr key={gold.id}>
                    <Table.Td><div className={classes.statement}><MathText text={gold.statement} /></div></Table.Td>
                    <Table.Td><Ratings ratings={gold.ratings} /></Table.Td>
                    <Table.Td>{gold.gold_set || says.gold.out}</Table.Td>
                    <Table.Td>{gold.version}</Table.Td>
                    <Table.Td><bdi>{gold.author ?? says.gold.nobody}</bdi><Text size="xs" c="dimmed">{when(gold.created_at)}</Text></Table.Td>
                    <Table.Td><Button size="compact-sm" variant="default" aria-label={says.gold.open(gold.statement)} onClick={() => onOpen(gold)}>{says.gold.openOne}</Button></Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Panel>
          <Pager page={page} list={list} onPage={setPage} />
        </div>
      ))}
    </Loaded>
  );
}
