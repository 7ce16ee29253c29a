import { LineChart } from "@mantine/charts";
import { Anchor, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorBar, Line } from "recharts";
import { Link } from "wouter";
import type { Brought, Difference } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { CHART, Figure } from "@/shared/Figure";
import { count, decimal, percent, score } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { useOrdered } from "@/shared/ordering";
import { loopQuery } from "../loop/loop";
import { PairedDifference } from "@/shared/PairedDifference";
import { Panel } from "@/shared/Panel";
import classes from "./history.module.css";
import { says } from "./strings";

const figure = (value: number) => decimal(value);

/** The history of a phase's loop, round by round: to be seen, and to be read. */
export default function History({ phase }: { phase: string }) {
  const loop = useQuery(loopQuery(phase));
  if (loop.isLoadingError) return null; // the strip above says so, and asks again
  const rounds = loop.data?.history;
  if (rounds === undefined) return <div className={classes.waiting} />;
  if (rounds.length === 0)
    return (
      <Panel title={says.title}>
        <Text c="dimmed" size="sm">
          Each published round gets a row here: what it cost, how it was picked, and how much better the next model
          judges.
        </Text>
      </Panel>
    );
  return (
    <section aria-label={says.title}>
      <Panel title={says.title}>
        <AsOf query={loop} />
        <Text size="sm" c="dimmed" mt={-8} mb="md">
          {rounds.some(({ model }) => model)
            ? "Each round with the model trained after it, measured on the labels held out at that time; + and −: against the current model of that time, on the same labels."
            : "Nothing has been measured yet. Train a model on the labels, and its metrics appear here."}
        </Text>
        <div className={classes.figures}>
          <Judges rounds={rounds} />
          <Chooses rounds={rounds} />
        </div>
      </Panel>
      <div className={classes.table}>
        <RoundsTable rounds={rounds} />
      </div>
    </section>
  );
}

function Judges({ rounds }: { rounds: Brought[] }) {
  const rows = axisOf(rounds, ({ step_auc, f1 }) => step_auc !== null || f1 !== null).map(
    ({ number, step_auc, f1, step_auc_interval, f1_interval }) => ({
      round: String(number),
      step_auc,
      f1,
      step_auc_low: step_auc_interval?.[0],
      step_auc_high: step_auc_interval?.[1],
      f1_low: f1_interval?.[0],
      f1_high: f1_interval?.[1],
      step_auc_error: around(step_auc, step_auc_interval),
      f1_error: around(f1, f1_interval),
    }),
  );
  const names = { step_auc: "Step AUC", f1: "First-error F1" };
  const columns = Object.entries(names).flatMap(([key, label]) => [
    { key, label, format: figure },
    { key: `${key}_low`, label: `${label}, low`, format: figure },
    { key: `${key}_high`, label: `${label}, high`, format: figure },
  ]);
  return (
    <Lines
      title="How well the model judges"
      lead="On held-out labels; bars: 95 % intervals."
      axis="AUC, F1"
      rows={rows}
      names={names}
      columns={columns}
    />
  );
}

function Chooses({ rounds }: { rounds: Brought[] }) {
  const isMeasured = ({ best_of_n }: Brought) => best_of_n !== null;
  const rows = axisOf(rounds, isMeasured).map(
    ({ number, n, best_of_n, majority, best_of_n_error, majority_error }) => ({
      round: String(number),
      n,
      best_of_n,
      majority,
      best_of_n_error,
      majority_error,
    }),
  );
  const names = { best_of_n: "PRM", majority: "Majority vote" };
  const columns = [
    { key: "n", label: "N", format: count },
    ...Object.entries(names).flatMap(([key, label]) => [
      { key, label, format: figure },
      { key: `${key}_error`, label: `${label}, error`, format: figure },
    ]),
  ];
  return (
    <Lines
      title="Best of N against majority vote"
      lead={says.choosesLead(rounds.flatMap(({ n }) => n ?? []))}
      axis="Solved"
      rows={rows}
      names={names}
      columns={columns}
    />
  );
}

/** Every round has its place on the axis, once one of them is measured. */
function axisOf(rounds: Brought[], isMeasured: (round: Brought) => boolean): Brought[] {
  return rounds.some(isMeasured) ? rounds : [];
}

interface LinesProps {
  title: string;
  lead: string;
  axis: string;
  rows: ({ round: string } & Record<string, unknown>)[];
  names: Record<string, string>;
  columns: { key: string; label: string; format: (value: number) => string }[];
}

function Lines({ title, lead, axis, rows, names, columns }: LinesProps) {
  const series = Object.entries(names).map(([name, label], index) => ({
    name,
    label,
    color: `var(--series-${index + 1})`,
  }));
  const [low, high] = ends(rows, Object.keys(names));
  const plain = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => !Array.isArray(value))),
  ) as Record<string, number | string>[];
  return (
    <Figure title={title} lead={lead} columns={[{ key: "round", label: says.round }, ...columns]} rows={plain}>
      <LineChart
        {...CHART}
        data={rows}
        dataKey="round"
        series={series}
        curveType="linear"
        withLegend
        legendProps={{ itemSorter: null }}
        connectNulls
        strokeWidth={2.5}
        dotProps={{ r: 4.5, strokeWidth: 2 }}
        valueFormatter={figure}
        xAxisLabel={says.round}
        yAxisLabel={axis}
        xAxisProps={{ padding: { left: 32, right: 32 } }}
        yAxisProps={{
          domain: [low, high],
          ticks: ticks(low, high),
          tickFormatter: (value: number) => decimal(value, 1),
          width: 46,
        }}
      >
        {series.map(({ name, color }) => (
          <Line
            key={name}
            dataKey={name}
            stroke="none"
            dot={false}
            activeDot={false}
            legendType="none"
            tooltipType="none"
            isAnimationActive={false}
          >
            <ErrorBar isAnimationActive={false} dataKey={`${name}_error`} width={5} strokeWidth={1.75} stroke={color} />
          </Line>
        ))}
      </LineChart>
    </Figure>
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
export function ends(rows: Record<string, unknown>[], names: string[]): [number, number] {
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

const VALUES = {
  number: ({ number }: Brought) => number,
  labellings: ({ labellings }: Brought) => labellings,
  wrong_share: ({ wrong_share }: Brought) => wrong_share,
  mean_score: ({ mean_score }: Brought) => mean_score,
  model: ({ model }: Brought) => model?.name,
  step_auc: ({ step_auc }: Brought) => step_auc,
  f1: ({ f1 }: Brought) => f1,
  best_of_n: ({ best_of_n }: Brought) => best_of_n,
  majority: ({ majority }: Brought) => majority,
};
const HEADS = Object.keys(VALUES).map((by, index) => ({ head: says.heads[index] ?? by, by }));

export function RoundsTable({ rounds }: { rounds: Brought[] }) {
  const { sorted, order } = useOrdered("number", VALUES);
  return (
    <Rows rows={sorted(rounds)} order={order} heads={HEADS} width={940} name={says.title}>
      {(row) => (
        <Table.Tr key={row.round}>
          <Table.Td>
            {row.number}
            {row.status === "open" && <Beside>open</Beside>}
          </Table.Td>
          <Table.Td>{count(row.labellings)}</Table.Td>
          <Table.Td>
            {row.wrong_share === null ? "–" : percent(row.wrong_share)}
            {row.pool_wrong_share !== null && <Beside>{says.pool(percent(row.pool_wrong_share))}</Beside>}
          </Table.Td>
          <Table.Td>
            {score(row.mean_score)}
            {row.pool_mean_score !== null && <Beside>{says.pool(score(row.pool_mean_score))}</Beside>}
          </Table.Td>
          <Table.Td style={{ overflowWrap: "anywhere" }}>
            {row.model ? (
              <Anchor component={Link} size="sm" href={`/models/${row.model.id}`}>
                {row.model.name}
              </Anchor>
            ) : (
              <Text size="sm" c="dimmed">
                none yet
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            {decimal(row.step_auc)}
            <Interval of={row.step_auc_interval} />
            <Gain of={row.differences.step_auc} />
          </Table.Td>
          <Table.Td>
            {decimal(row.f1)}
            <Interval of={row.f1_interval} />
            <Gain of={row.differences.f1} />
          </Table.Td>
          <Table.Td>
            {decimal(row.best_of_n)}
            {row.best_of_n_error !== null && <Beside>{says.plusMinus(row.best_of_n_error)}</Beside>}
          </Table.Td>
          <Table.Td>
            {decimal(row.majority)}
            {row.majority_error !== null && <Beside>{says.plusMinus(row.majority_error)}</Beside>}
          </Table.Td>
        </Table.Tr>
      )}
    </Rows>
  );
}

function Interval({ of }: { of: readonly number[] | null }) {
  const [low, high] = of ?? [];
  return low === undefined || high === undefined ? null : (
    <Beside>{`${decimal(low, 2)} to ${decimal(high, 2)}`}</Beside>
  );
}

/** How much higher than the model before, on the same labels. */
function Gain({ of }: { of: Difference | undefined }) {
  return (
    of && (
      <Beside>
        <PairedDifference of={of} />
      </Beside>
    )
  );
}

function Beside({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
      {children}
    </Text>
  );
}
