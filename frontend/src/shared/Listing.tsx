import { Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import type { Place } from "@/api/reading";
import classes from "./Listing.module.css";
import { Loaded } from "./Loaded";
import { Pager } from "./Pager";
import { Panel } from "./Panel";

interface TableProps<Row> {
  /** What stands above the columns; "" above buttons. */
  heads: readonly string[];
  /** In pixels: where there is less room, the table scrolls. */
  width: number;
  name?: string;
  /** A row's `Table.Tr`, with its key. */
  children: (row: Row) => ReactNode;
}

/** Rows as a table. */
export function Rows<Row>({ rows, heads, width, name, children }: TableProps<Row> & { rows: readonly Row[] }) {
  return (
    <Panel isFlush>
      <Table className={classes.rows} verticalSpacing="sm" miw={width} aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, index) =>
              head === "" ? (
                <Table.Td key={index} />
              ) : (
                <Table.Th key={index} scope="col">
                  {head}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{rows.map(children)}</Table.Tbody>
      </Table>
    </Panel>
  );
}

/** What a row leads to: a click anywhere in the row, but on its other controls, follows it. */
export function RowLink({ className = "", ...link }: ComponentProps<"a"> & { href: string }) {
  return <Link {...link} className={`${classes.link} ${className}`} />;
}

interface PagesProps<Row> {
  query: UseQueryResult<{ results: readonly Row[]; next?: string | null; previous?: string | null }>;
  /** What is said where there is no row. */
  none: string;
  place: Place;
  onPlace: (place: Place) => void;
  /** The rows of a page. */
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list of the server's, page by page. */
export function Pages<Row>({ query, none, place, onPlace, children }: PagesProps<Row>) {
  return (
    <Loaded query={query}>
      {(list) => (
        <div>
          {list.results.length === 0 ? <Text c="dimmed">{none}</Text> : children(list.results)}
          <Pager place={place} list={list} onPlace={onPlace} />
        </div>
      )}
    </Loaded>
  );
}

/** The same as a table. */
export function Listing<Row>({
  query,
  none,
  place,
  onPlace,
  ...table
}: Omit<PagesProps<Row>, "children"> & TableProps<Row>) {
  return <Pages {...{ query, none, place, onPlace }}>{(rows) => <Rows rows={rows} {...table} />}</Pages>;
}
