import { Button, Group, Text, Title } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import type { ByName } from "@/api/types";
import classes from "./Figure.module.css";
import { Grid, type Shown, valuesOf } from "@/shared/tables/Listing";
import { Dim } from "@/shared/page/Panel";
import { useOrdered } from "@/shared/tables/ordering";

export type FigureValue = string | number | null | undefined;
export type FigureRow = ByName<FigureValue>;

export interface Column {
  key: string;
  label: string;
  /** Formats numbers for the table; the file keeps them as they are. */
  format?: ((value: number) => string) | undefined;
}

/** The options that all charts share. Colours legible in both schemes: `var(--series-1)` to `4`, and the ratings'. */
export const CHART = {
  h: 240,
  tickLine: "none",
  strokeDasharray: "3 4",
  textColor: "var(--dim)",
  gridColor: "var(--line)",
  classNames: { axisLabel: classes.axisName },
} as const;

/** Returns the props of an axis that names bars: it shows every name, each on one line. */
export function nameAxis(width: number) {
  return { width, interval: 0, tickFormatter: (name: string) => short(name, width / 7.5).replaceAll(" ", "\u00a0") };
}

export function short(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

export interface FigureProps {
  title: string;
  /** The finding, in a sentence. */
  lead?: string;
  /** The numbers behind the chart: its table, and its CSV file. */
  columns: Column[];
  rows: FigureRow[];
  /** The chart, of height CHART.h. */
  children?: ReactNode;
}

const Quiet = Button.withProps({ size: "compact-xs", variant: "subtle" });

/** A chart with its title, its numbers as a table, and as a file. Without rows it says that there is nothing yet. */
export function Figure({ title, lead, columns, rows, children }: FigureProps) {
  const numbers = numbersOf(columns, rows);
  const { sorted, order, isOrdered } = useOrdered("", valuesOf(numbers), `ordering of ${title}`);
  const [hasTable, setHasTable] = useState(isOrdered);
  const id = useId();
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <Group justify="space-between" align="start" gap="xs" wrap="nowrap">
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {lead && <Dim>{lead}</Dim>}
        </div>
        {rows.length > 0 && (
          <Group gap={4} wrap="nowrap">
            <Quiet aria-pressed={hasTable} aria-label={`Table: ${title}`} onClick={() => setHasTable(!hasTable)}>
              Table
            </Quiet>
            <Quiet aria-label={`CSV: ${title}`} onClick={() => save(`${title}.csv`, csvOf(columns, rows), "text/csv")}>
              CSV
            </Quiet>
          </Group>
        )}
      </Group>
      {rows.length === 0 ? (
        <Text c="dimmed" className={classes.body}>
          Nothing here yet.
        </Text>
      ) : hasTable ? (
        // What scrolls can be reached with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.table} tabIndex={0} role="region" aria-label={title}>
          <Grid rows={sorted(rows)} columns={numbers} keyOf={(_, index) => index} order={order} stickyHeader />
        </div>
      ) : (
        <div className={classes.body}>{children}</div>
      )}
    </figure>
  );
}

function numbersOf(columns: Column[], rows: FigureRow[]): Shown<FigureRow>[] {
  return columns.map(({ key, label, format = String }) => ({
    head: label,
    by: key,
    td: { ta: isNumeric(rows, key) ? "end" : "start" },
    cell: (row) => shown(row[key], format),
  }));
}

function shown(value: FigureValue, format: (value: number) => string): string {
  return typeof value === "number" ? format(value) : (value ?? "–");
}

function isNumeric(rows: FigureRow[], key: string): boolean {
  return typeof rows.find((row) => row[key] != null)?.[key] === "number";
}

/** RFC 4180. A text that a spreadsheet would run as a formula starts with an apostrophe. */
export function csvOf(columns: Column[], rows: FigureRow[]): string {
  const lines = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ key }) => row[key]))];
  return lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(value: FigureValue): string {
  if (typeof value !== "string") return value == null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a text, or a file's content, to the browser as a file. */
export function save(name: string, text: string | Blob, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
