import { Button, Group, Table, Text, Title } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import { csvOf, type Column, type FigureRow, type FigureValue } from "./csv";
import { save } from "./download";
import classes from "./Figure.module.css";
import { staffStrings } from "./staffStrings";
import { Heading } from "./Listing";
import { useOrdered, type Order } from "./ordering";

const says = staffStrings.figure;

/** What the charts have in common. Mantine's charts do not move; colours that both schemes can read are `var(--series-1)` to `4` and the ratings'. */
export const CHART = {
  h: 240,
  tickLine: "none",
  strokeDasharray: "3 4",
  textColor: "var(--dim)",
  gridColor: "var(--line)",
  classNames: { axisLabel: classes.axisName },
} as const;

/** Names along an axis of bars: every one of them, on one line each. */
export function nameAxis(width: number) {
  return { width, interval: 0, tickFormatter: (name: string) => short(name, width / 7.5).replaceAll(" ", "\u00a0") };
}

export function short(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

export interface FigureProps {
  title: string;
  /** What is to be seen, in a sentence. */
  lead?: string;
  /** The numbers behind the chart: its table, and its CSV file. */
  columns: Column[];
  rows: FigureRow[];
  /** The chart, of height CHART.h. */
  children?: ReactNode;
}

/** A chart with its title, its numbers as a table, and as a file. Without rows it says that there is nothing yet. */
export function Figure({ title, lead, columns, rows, children }: FigureProps) {
  const { sorted, order, isOrdered } = useOrdered<FigureRow>(
    "",
    Object.fromEntries(columns.map(({ key }) => [key, (row: FigureRow) => row[key]])),
    `ordering of ${title}`,
  );
  const [hasTable, setHasTable] = useState(isOrdered);
  const id = useId();
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <Group justify="space-between" align="start" gap="xs" wrap="nowrap">
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {rows.length > 0 && (
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-xs"
              variant="subtle"
              aria-pressed={hasTable}
              aria-label={says.tableOf(title)}
              onClick={() => setHasTable(!hasTable)}
            >
              Table
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`CSV: ${title}`}
              onClick={() => save(`${title}.csv`, csvOf(columns, rows), "text/csv")}
            >
              CSV
            </Button>
          </Group>
        )}
      </Group>
      {rows.length === 0 ? (
        <Text c="dimmed" className={classes.body}>
          Nothing here yet.
        </Text>
      ) : hasTable ? (
        <Numbers {...{ title, columns, order }} rows={sorted(rows)} />
      ) : (
        <div className={classes.body}>{children}</div>
      )}
    </figure>
  );
}

function Numbers({ title, columns, rows, order }: Pick<FigureProps, "title" | "columns" | "rows"> & { order: Order }) {
  return (
    // What scrolls can be reached with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.table} tabIndex={0} role="region" aria-label={title}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, label }) => (
              <Heading key={key} head={{ head: label, by: key }} order={order} isNumber={isNumeric(rows, key)} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              {columns.map(({ key, format = String }) => (
                <Table.Td key={key} data-number={isNumeric(rows, key) || undefined}>
                  {shown(row[key], format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function shown(value: FigureValue, format: (value: number) => string): string {
  return typeof value === "number" ? format(value) : (value ?? "–");
}

function isNumeric(rows: FigureRow[], key: string): boolean {
  return typeof rows.find((row) => row[key] != null)?.[key] === "number";
}
