import { Group, Table } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import { placeOf, type Place } from "@/api/reading";
import classes from "./Listing.module.css";
import { count, plural } from "./format";
import { Loaded } from "./Loaded";
import { nameOf, type Order } from "./ordering";
import { Dim, Panel, SmallButton } from "./Panel";

/** What narrows the list below; `name` says what is searched. */
export function Filters({ name, children }: { name: string; children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label={name}>
      {children}
    </search>
  );
}

/** What stands above a column, "" above buttons. With `by` the rows can be sorted by it; a - there: first by the most. */
export type Head = string | { head: string; by: string };

export function Heading({ head, order, isNumber }: { head: Head; order?: Order | undefined; isNumber?: boolean }) {
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

interface TableProps<Row> {
  heads: readonly Head[];
  /** What the rows are sorted by, where the heads let that be chosen. */
  order?: Order | undefined;
  /** In pixels: where there is less room, the table scrolls. */
  width: number;
  name?: string;
  /** A row of sums, below rows that are the whole list. */
  foot?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** A row's cells, or its `Table.Tr`, with its key. */
  children: (row: Row) => ReactNode;
}

/** Rows as a table. */
export function Rows<Row>({
  rows,
  heads,
  order,
  width,
  name,
  foot,
  children,
}: TableProps<Row> & { rows: readonly Row[] }) {
  return (
    <Panel isFlush>
      <Table className={classes.rows} verticalSpacing="sm" miw={width} aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, index) => (
              <Heading key={index} head={head} order={order} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => {
            const drawn = children(row);
            if (!Array.isArray(drawn)) return drawn;
            return (
              <Table.Tr key={(row as { id?: string }).id ?? at}>
                {drawn.map((cell: ReactNode, column) => (
                  <Table.Td key={column}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
        {foot && rows.length > 1 && <Table.Tfoot className={classes.sums}>{foot(rows)}</Table.Tfoot>}
      </Table>
    </Panel>
  );
}

/** What a row leads to: a click anywhere in the row, but on its other controls, follows it. */
export function RowLink({ className = "", ...link }: ComponentProps<"a"> & { href: string }) {
  return <Link {...link} className={`${classes.link} ${className}`} />;
}

interface PagesProps<Row> {
  query: UseQueryResult<{ results: readonly Row[]; count?: number; next?: string | null; previous?: string | null }>;
  /** What is counted above them: one, and several. */
  unit?: readonly [string, string] | undefined;
  /** What is said where there is no row. */
  none: string;
  place: Place;
  onPlace: (place: Place) => void;
  /** The rows of a page, and whether these are all. */
  children: (rows: readonly Row[], isWhole: boolean) => ReactNode;
}

/** A list of the server's, page by page. */
export function Pages<Row>({ query, unit, none, place, onPlace, children }: PagesProps<Row>) {
  return (
    <Loaded query={query}>
      {(list) => (
        <div>
          {unit && list.count ? (
            <Dim mb="xs" aria-live="polite">
              {total(list.count, unit)}
            </Dim>
          ) : null}
          {list.results.length === 0 ? (
            <Dim size="md">{none}</Dim>
          ) : (
            children(list.results, !list.next && !list.previous)
          )}
          <Pager place={place} list={list} onPlace={onPlace} />
        </div>
      )}
    </Loaded>
  );
}

/** To the page before and the next one. Where the server knows no way back, to the first. */
interface PagerProps {
  place: Place;
  list: { next?: string | null; previous?: string | null };
  onPlace: (place: Place) => void;
}

/** To the page before and the next one. Where the server knows no way back, to the first. */
export function Pager({ place, list: { next, previous }, onPlace }: PagerProps) {
  const isFirst = place.page === undefined && place.cursor === undefined;
  if (!next && isFirst) return null;
  return (
    <Group justify="flex-end" mt="md" gap="sm">
      <SmallButton disabled={isFirst} onClick={() => onPlace(previous ? placeOf(previous) : {})}>
        {previous || isFirst ? "Previous" : "First page"}
      </SmallButton>
      {place.cursor === undefined && <Dim>Page {place.page ?? 1}</Dim>}
      <SmallButton disabled={!next} onClick={() => next && onPlace(placeOf(next))}>
        Next
      </SmallButton>
    </Group>
  );
}

/** The server counts no further. */
const MOST_COUNTED = 10_000;

function total(rows: number, [one, many]: readonly [string, string]): string {
  return rows > MOST_COUNTED ? `${count(MOST_COUNTED)}+ ${many}` : plural(rows, one, many);
}

/** The same as a table. */
export function Listing<Row>({
  query,
  unit,
  none,
  place,
  onPlace,
  foot,
  ...table
}: Omit<PagesProps<Row>, "children"> & TableProps<Row>) {
  return (
    <Pages {...{ query, unit, none, place, onPlace }}>
      {(rows, isWhole) => <Rows rows={rows} foot={isWhole ? foot : undefined} {...table} />}
    </Pages>
  );
}
