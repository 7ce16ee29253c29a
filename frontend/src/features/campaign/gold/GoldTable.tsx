import { Table, Text } from "@mantine/core";
import { reading } from "@/api/reading";
import { Listing, RowLink } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { RatingRow } from "@/shared/ratings";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import classes from "../campaign.module.css";
import { says } from "./strings";

const HEADS = [
  says.problem,
  says.ratings,
  { head: says.set, by: "gold_set" },
  { head: says.version, by: "-version" },
  { head: says.author, by: "-created_at" },
];

/** `list`: the newest version of each solution's gold. */
export function GoldTable({ list }: { list: ReturnType<typeof useGold>["list"] }) {
  return (
    <Listing {...list} unit={says.unit} none={says.none} heads={HEADS} width={760}>
      {(gold) => (
        <Table.Tr key={gold.id}>
          <Table.Td w="60%" maw={0}>
            <RowLink
              className={classes.statement}
              href={`/gold/${gold.solution}`}
              aria-label={says.open(gold.statement)}
            >
              <MathText text={gold.statement} isClipped />
            </RowLink>
          </Table.Td>
          <Table.Td>
            <RatingRow ratings={gold.ratings} />
          </Table.Td>
          <Table.Td miw={120} style={{ overflowWrap: "anywhere" }}>
            {gold.gold_set || says.out}
          </Table.Td>
          <Table.Td>{gold.version}</Table.Td>
          <Table.Td style={{ whiteSpace: "nowrap" }}>
            <bdi>{gold.author ?? says.nobody}</bdi>
            <Text size="xs" c="dimmed">
              <Time at={gold.created_at} />
            </Text>
          </Table.Td>
        </Table.Tr>
      )}
    </Listing>
  );
}

/** Gold page by page; its set, its order and its page are in the address. */
export function useGold() {
  return usePages(
    { gold_set: "" },
    (asked) => reading("/api/gold/", { query: { ...asked, is_newest: true, page_size: 20 } }),
    { usual: "-created_at" },
  );
}
