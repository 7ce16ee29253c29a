import { Table, type TableTdProps } from "@mantine/core";
import type { ReactNode } from "react";
import { count, sumOf } from "./format";
import { nameOf, type Value } from "./ordering";

/** A column of a table: what stands above it, and what it shows of each row. */
export interface Shown<Row> {
  head: string;
  /** As in `Head`: the rows can be sorted by it. */
  by?: string | undefined;
  cell: (row: Row) => ReactNode;
  td?: TableTdProps;
  /** What of a row is summed up below the whole list. */
  sum?: (row: Row) => number;
}

/** For what stays on one line. */
export const TIGHT = { style: { whiteSpace: "nowrap" } } as const;

/** What `Rows` and `Listing` take, of columns (`cells`: what all of them share): `<Listing {...list} {...inColumns(COLUMNS, ({ id }) => id)} />`. */
export function inColumns<Row>(columns: readonly Shown<Row>[], keyOf: (row: Row) => string, cells: TableTdProps = {}) {
  const sums = (rows: readonly Row[]) => (
    <Table.Tr>
      {columns.map(({ sum }, index) =>
        index === 0 ? (
          <Table.Th key={index} scope="row">
            Sum
          </Table.Th>
        ) : (
          <Table.Td key={index}>{sum && count(sumOf(rows, sum))}</Table.Td>
        ),
      )}
    </Table.Tr>
  );
  return {
    heads: columns.map(({ head, by }) => (by ? { head, by } : head)),
    foot: columns.some(({ sum }) => sum) ? sums : undefined,
    children: (row: Row) => (
      <Table.Tr key={keyOf(row)}>
        {columns.map(({ cell, td }, index) => (
          <Table.Td key={index} {...cells} {...td}>
            {cell(row)}
          </Table.Td>
        ))}
      </Table.Tr>
    ),
  };
}

/** What `useOrdered` sorts rows by that are all here: the field that a column is sorted `by`, unless `others` say. */
export function valuesOf<Row extends object>(
  columns: readonly Shown<Row>[],
  others: Record<string, (row: Row) => Value> = {},
): Record<string, (row: Row) => Value> {
  const names = columns.flatMap(({ by }) => (by ? nameOf(by) : []));
  return {
    ...Object.fromEntries(names.map((name) => [name, (row: Row) => row[name as keyof Row] as Value])),
    ...others,
  };
}
