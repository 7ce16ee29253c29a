import { Table } from "@mantine/core";
import classes from "./Heading.module.css";
import { nameOf, type Order } from "./ordering";

/** What stands above a column, "" above buttons. With `by` the rows can be sorted by it; a - there: first by the most. */
export type Head = string | { head: string; by: string };

export function Heading({
  head,
  order,
  isNumber = false,
}: {
  head: Head;
  order?: Order | undefined;
  isNumber?: boolean;
}) {
  if (head === "") return <Table.Td />;
  if (typeof head === "string") return <Table.Th scope="col">{head}</Table.Th>;
  const { by } = head;
  const isBy = order !== undefined && nameOf(order.ordering) === nameOf(by);
  const isFalling = order?.ordering.startsWith("-");
  const next = !isBy ? by : isFalling ? nameOf(by) : `-${nameOf(by)}`;
  return (
    <Table.Th
      scope="col"
      aria-sort={!isBy ? "none" : isFalling ? "descending" : "ascending"}
      data-number={isNumber || undefined}
    >
      <button type="button" className={classes.sort} onClick={() => order?.onOrder(next)}>
        {head.head}
      </button>
    </Table.Th>
  );
}
