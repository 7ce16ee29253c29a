import { Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
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
      <Table verticalSpacing="sm" miw={width} aria-label={name}>
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

interface PagesProps<Row> {
  query: UseQueryResult<{ results: readonly Row[]; next?: string | null }>;
  /** What is said where there is no row. */
  none: string;
  page: number;
  onPage: (page: number) => void;
  /** The rows of a page. */
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list of the server's, page by page. */
export function Pages<Row>({ query, none, page, onPage, children }: PagesProps<Row>) {
  return (
    <Loaded query={query}>
      {(list) => (
        <div>
          {list.results.length === 0 ? <Text c="dimmed">{none}</Text> : children(list.results)}
          <Pager page={page} list={list} onPage={onPage} />
        </div>
      )}
    </Loaded>
  );
}

/** The same as a table. */
export function Listing<Row>({
  query,
  none,
  page,
  onPage,
  ...table
}: Omit<PagesProps<Row>, "children"> & TableProps<Row>) {
  return <Pages {...{ query, none, page, onPage }}>{(rows) => <Rows rows={rows} {...table} />}</Pages>;
}
