import { Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import type { Place } from "@/api/reading";
import classes from "./Listing.module.css";
import { count, plural } from "./format";
import { Heading, type Head } from "./Heading";
import { Loaded } from "./Loaded";
import type { Order } from "./ordering";
import { Pager } from "./Pager";
import { Panel } from "./Panel";

interface TableProps<Row> {
  heads: readonly Head[];
  /** What the rows are sorted by, where the heads let that be chosen. */
  order?: Order | undefined;
  /** In pixels: where there is less room, the table scrolls. */
  width: number;
  name?: string;
  /** A row of sums, below rows that are the whole list. */
  foot?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** A row's `Table.Tr`, with its key. */
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
        <Table.Tbody>{rows.map(children)}</Table.Tbody>
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
            <Text size="sm" c="dimmed" mb="xs" aria-live="polite">
              {total(list.count, unit)}
            </Text>
          ) : null}
          {list.results.length === 0 ? (
            <Text c="dimmed">{none}</Text>
          ) : (
            children(list.results, !list.next && !list.previous)
          )}
          <Pager place={place} list={list} onPlace={onPlace} />
        </div>
      )}
    </Loaded>
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
