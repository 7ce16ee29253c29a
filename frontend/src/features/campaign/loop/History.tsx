import { Box, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Brought, ByName } from "@/api/types";
import { AsOf } from "@/shared/tables/AsOf";
import { LineFigure, Whiskers } from "@/shared/figures/charts";
import { count, decimal } from "@/shared/words/format";
import { Panel, Dim } from "@/shared/page/Panel";
import classes from "../campaign.module.css";
import { loopQuery } from "./loop";
import { RoundsTable } from "./RoundsTable";

const figure = (value: number) => decimal(value);
const colorOf = (index: number) => `var(--series-${index + 1})`;

/** The history of a phase's loop, round by round: to be seen, and to be read. */
export default function History({ phase }: { phase: string }) {
  const loop = useQuery(loopQuery(phase));
  if (loop.isLoadingError) return null; // the strip above says so, and asks again
  const rounds = loop.data?.history;
  if (rounds === undefined) return <Box h="36rem" />;
  if (rounds.length === 0)
    return (
      <Panel title="Results by round">
        <Dim>
          Each published round gets a row here: what it cost, how it was picked, and how much better the next model
          judges.
        </Dim>
      </Panel>
    );
  return (
    <Stack component="section" aria-label="Results by round">
      <Panel title="Results by round">
        <AsOf query={loop} />
        <Dim mt={-8} mb="md">
          {rounds.some(({ model }) => model)
            ? "Each round with the model trained after it, measured on the labels held out at that time; + and −: against the model that it replaced in this phase, on the same labels."
            : "Nothing has been measured yet. Train a model on the labels, and its metrics appear here."}
        </Dim>
        <div className={classes.columns}>
          <Judges rounds={rounds} />
          <Chooses rounds={rounds} />
        </div>
      </Panel>
      <RoundsTable rounds={rounds} />
    </Stack>
  );
}

function Judges({ rounds }: { rounds: Brought[] }) {
  const rows = rounds.map(({ number, step_auc, f1, step_auc_interval, f1_interval }) => ({
    ...{ round: String(number), step_auc, f1 },
    step_auc_low: step_auc_interval?.[0],
    step_auc_high: step_auc_interval?.[1],
    f1_low: f1_interval?.[0],
    f1_high: f1_interval?.[1],
    step_auc_error: around(step_auc, step_auc_interval),
    f1_error: around(f1, f1_interval),
  }));
  const names = { step_auc: "Step AUC", f1: "First-error F1" };
  return (
    <Lines
      title="How well the model judges"
      lead="On held-out labels; bars: 95 % intervals."
      axis="AUC, F1"
      rows={rows}
      names={Object.keys(names)}
      columns={Object.entries(names).flatMap(([key, label], index) => [
        { key, label, format: figure, color: colorOf(index) },
        { key: `${key}_low`, label: `${label}, low`, format: figure },
        { key: `${key}_high`, label: `${label}, high`, format: figure },
      ])}
    />
  );
}

function Chooses({ rounds }: { rounds: Brought[] }) {
  const rows = rounds.map(({ number, n, best_of_n, majority, best_of_n_interval, majority_interval }) => ({
    ...{ round: String(number), n, best_of_n, majority },
    best_of_n_low: best_of_n_interval?.[0],
    best_of_n_high: best_of_n_interval?.[1],
    majority_low: majority_interval?.[0],
    majority_high: majority_interval?.[1],
    best_of_n_error: around(best_of_n, best_of_n_interval),
    majority_error: around(majority, majority_interval),
  }));
  const sizes = [...new Set(rounds.flatMap(({ n }) => n ?? []))];
  const names = { best_of_n: "PRM", majority: "Majority vote" };
  return (
    <Lines
      title="Best of N against majority vote"
      lead={
        sizes.length === 0
          ? "Share of problems solved by choosing one solution of several."
          : `Share solved by choosing one of ${sizes.join(" or ")} solutions; bars: 95 % intervals.`
      }
      axis="Solved"
      rows={rows}
      names={Object.keys(names)}
      columns={[
        { key: "n", label: "N", format: count },
        ...Object.entries(names).flatMap(([key, label], index) => [
          { key, label, format: figure, color: colorOf(index) },
          { key: `${key}_low`, label: `${label}, low`, format: figure },
          { key: `${key}_high`, label: `${label}, high`, format: figure },
        ]),
      ]}
    />
  );
}

interface LinesProps {
  title: string;
  lead: string;
  axis: string;
  rows: ({ round: string } & ByName<unknown>)[];
  names: string[];
  columns: { key: string; label: string; format: (value: number) => string; color?: string }[];
}

function Lines({ title, lead, axis, rows, names, columns }: LinesProps) {
  const [low, high] = ends(rows, names);
  // Every round has its place on the axis, once one of them is measured.
  const isMeasured = rows.some((row) => names.some((name) => row[name] !== null));
  const plain = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => !Array.isArray(value))),
  ) as ByName<number | string>[];
  return (
    <LineFigure
      title={title}
      lead={lead}
      columns={[{ key: "round", label: "Round" }, ...columns]}
      rows={isMeasured ? plain : []}
      data={rows}
      measure={axis}
      withLegend
      legendProps={{ itemSorter: null }}
      connectNulls
      strokeWidth={2.5}
      dotProps={{ r: 4.5, strokeWidth: 2 }}
      xAxisProps={{ padding: { left: 32, right: 32 } }}
      yAxisProps={{
        domain: [low, high],
        ticks: ticks(low, high),
        tickFormatter: (value: number) => decimal(value, 1),
        width: 46,
      }}
    >
      {names.map((name, index) => (
        <Whiskers key={name} at={name} length={`${name}_error`} color={colorOf(index)} />
      ))}
    </LineFigure>
  );
}

/** How far an interval reaches below and above its value: what an error bar is drawn by. */
export function around(value: number | null, interval: readonly number[] | null): [number, number] | undefined {
  const [low, high] = interval ?? [];
  return value === null || low === undefined || high === undefined
    ? undefined
    : [Math.max(0, value - low), Math.max(0, high - value)];
}

/** A tenth below the lowest and above the highest that is drawn, bars and all. */
export function ends(rows: ByName<unknown>[], names: string[]): [number, number] {
  const values = rows.flatMap((row) =>
    names.flatMap((name) => {
      const value = row[name];
      if (typeof value !== "number") return [];
      const error = row[`${name}_error`];
      const [below, above] = Array.isArray(error)
        ? (error as [number, number])
        : typeof error === "number"
          ? [error, error]
          : [0, 0];
      return [value - below, value + above];
    }),
  );
  if (values.length === 0) return [0, 1];
  return [
    Math.max(0, Math.floor(Math.min(...values) * 10) / 10),
    Math.min(1, Math.ceil(Math.max(...values) * 10) / 10),
  ];
}

function ticks(low: number, high: number): number[] {
  return Array.from({ length: Math.round((high - low) * 10) + 1 }, (_, index) => Math.round(low * 10 + index) / 10);
}
