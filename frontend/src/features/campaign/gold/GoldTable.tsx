import { Button, Table, Text } from "@mantine/core";
import { reading } from "@/api/reading";
import { when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { RatingRow } from "@/shared/ratings";
import { usePages } from "@/shared/usePages";
import classes from "../campaign.module.css";
import { says } from "../strings";
import type { Rated } from "./GoldPage";

const HEADS = [says.gold.problem, says.gold.ratings, says.gold.set, says.gold.version, says.gold.author, ""];

/** The newest version of each solution's gold. */
export function GoldTable({ set, onOpen }: { set: string; onOpen: (rated: Rated) => void }) {
  const { list } = usePages({ gold_set: set }, (asked) =>
    reading("/api/gold/", { query: { ...asked, is_newest: true, page_size: 20 } }),
  );
  return (
    <Listing {...list} none={says.gold.none} heads={HEADS} width={760}>
      {(gold) => (
        <Table.Tr key={gold.id}>
          <Table.Td>
            <div className={classes.statement}>
              <MathText text={gold.statement} />
            </div>
          </Table.Td>
          <Table.Td>
            <RatingRow ratings={gold.ratings} />
          </Table.Td>
          <Table.Td>{gold.gold_set || says.gold.out}</Table.Td>
          <Table.Td>{gold.version}</Table.Td>
          <Table.Td>
            <bdi>{gold.author ?? says.gold.nobody}</bdi>
            <Text size="xs" c="dimmed">
              {when(gold.created_at)}
            </Text>
          </Table.Td>
          <Table.Td>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={says.gold.open(gold.statement)}
              onClick={() => onOpen(gold)}
            >
              {says.gold.openOne}
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
    </Listing>
  );
}
