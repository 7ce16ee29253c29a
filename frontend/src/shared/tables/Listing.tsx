import { Group, Table, type TableProps, type TableTdProps, type TableTrProps } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, Key, ReactNode } from "react";
import { Link } from "wouter";
import { placeOf, type Place } from "@/api/reading";
import type { ByName } from "@/api/types";
import classes from "./Listing.module.css";
import { count, plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { nameOf, type Order, type Value } from "./ordering";
import { Dim, Panel, SmallButton } from "@/shared/page/Panel";

/** The filters of the list below; `name` says what is searched. */
export function Filters({ name, children }: { name: string; children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label={name}>
      {children}
    </search>
  );
}

/** A column of a table: its head, "" above buttons, and its cell for each row. */
export interface Shown<Row> {
  head: string;
  /** The field that the rows can be sorted by; after a `-`, first in descending order. */
  by?: string | undefined;
  cell: (row: Row) => ReactNode;
  /** The props of its cells; their alignment is that of the head, too. */
  td?: TableTdProps;
  /** True if the cell names the row, for screen readers. */
  isRowHead?: boolean;
  /** The value to sort by if all rows are loaded; by default the field that `by` names. */
  value?: (row: Row) => Value;
  /** The cell in the sum below the rows, if they are the whole list. */
  sum?: (rows: readonly Row[]) => ReactNode;
}

/** The props of cells that stay on one line. */
export const TIGHT = { style: { whiteSpace: "nowrap" } } as const;

/** Returns the values by which `useOrdered` sorts rows that are all here. */
export function valuesOf<Row extends object>(columns: readonly Shown<Row>[]): ByName<(row: Row) => Value> {
  return Object.fromEntries(
    columns.flatMap(({ by, value }) => {
      if (by === undefined) return [];
      const name = nameOf(by);
      return [[name, value ?? ((row: Row) => row[name as keyof Row] as Value)]];
    }),
  );
}

interface GridProps<Row> {
  columns: readonly Shown<Row>[];
  keyOf: (row: Row, index: number) => Key;
  /** The props of all cells, and those of a row. */
  cells?: TableTdProps;
  tr?: (row: Row) => TableTrProps & { "data-differs"?: true | undefined };
  /** The order of the rows, where the heads let it be chosen. */
  order?: Order | undefined;
}

interface Whole<Row> {
  rows: readonly Row[];
  /** True if these are all rows, so that they can be summed up. */
  isWhole?: boolean;
}

/** Rows as a table, without a panel around it. */
export function Grid<Row>(props: GridProps<Row> & Whole<Row> & TableProps) {
  const { rows, columns, keyOf, cells, tr, order, isWhole = true, ...table } = props;
  return (
    <Table className={classes.rows} {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, index) => (
            <Heading key={index} column={column} order={order} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, at) => (
          <Table.Tr key={keyOf(row, at)} {...tr?.(row)}>
            {columns.map(({ cell, td, isRowHead }, index) =>
              isRowHead ? (
                <Table.Th key={index} scope="row">
                  {cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={index} {...cells} {...td}>
                  {cell(row)}
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {isWhole && rows.length > 1 && columns.some(({ sum }) => sum) && (
        <Table.Tfoot className={classes.sums}>
          <Table.Tr>
            <Table.Th scope="row">Sum</Table.Th>
            {columns.slice(1).map(({ sum }, index) => (
              <Table.Td key={index}>{sum?.(rows)}</Table.Td>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      )}
    </Table>
  );
}

function Heading<Row>({ column: { head, by, td }, order }: { column: Shown<Row>; order: Order | undefined }) {
  if (head === "") return <Table.Td />;
  if (by === undefined) return <Table.Th scope="col">{head}</Table.Th>;
  const isBy = order !== undefined && nameOf(order.ordering) === nameOf(by);
  const isFalling = order?.ordering.startsWith("-");
  const next = !isBy ? by : isFalling ? nameOf(by) : `-${nameOf(by)}`;
  return (
    <Table.Th scope="col" aria-sort={!isBy ? "none" : isFalling ? "descending" : "ascending"} ta={td?.ta}>
      <button type="button" className={classes.sort} onClick={() => order?.onOrder(next)}>
        {head}
      </button>
    </Table.Th>
  );
}

interface PanelProps<Row> extends GridProps<Row> {
  /** The least width, in pixels: with less room, the table scrolls. */
  width: number;
  name?: string;
}

/** Rows as a table in a panel of its own. */
export function Rows<Row>({ width, name, ...grid }: PanelProps<Row> & Whole<Row>) {
  return (
    <Panel isFlush>
      <Grid verticalSpacing="sm" miw={width} aria-label={name} {...grid} />
    </Panel>
  );
}

/** The link of a row: a click anywhere in the row, but on its other controls, follows it. */
export function RowLink({ className = "", ...link }: ComponentProps<"a"> & { href: string }) {
  return <Link {...link} className={`${classes.link} ${className}`} />;
}

interface PagesProps<Row> {
  query: UseQueryResult<{ results: readonly Row[]; count?: number; next?: string | null; previous?: string | null }>;
  /** The noun of the count above the rows: singular and plural. */
  unit?: readonly [string, string] | undefined;
  /** The sentence where there is no row. */
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
            <Dim size="md" mb="md">
              {none}
            </Dim>
          ) : (
            children(list.results, !list.next && !list.previous)
          )}
          <Pager place={place} list={list} onPlace={onPlace} />
        </div>
      )}
    </Loaded>
  );
}

interface PagerProps {
  place: Place;
  list: { next?: string | null; previous?: string | null };
  onPlace: (place: Place) => void;
}

/** Buttons to the previous and the next page; to the first one if the server knows no way back. */
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

/** `1 task`, `2 tasks`, `10,000+ tasks` */
export function total(rows: number, [one, many]: readonly [string, string]): string {
  return rows > MOST_COUNTED ? `${count(MOST_COUNTED)}+ ${many}` : plural(rows, one, many);
}

/** A list of the server's as a table, page by page. */
export function Listing<Row>(props: Omit<PagesProps<Row>, "children"> & PanelProps<Row>) {
  const { query, unit, none, place, onPlace, ...table } = props;
  return (
    <Pages {...{ query, unit, none, place, onPlace }}>
      {(rows, isWhole) => <Rows rows={rows} isWhole={isWhole} {...table} />}
    </Pages>
  );
}
