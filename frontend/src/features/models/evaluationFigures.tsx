import { BarChart, CompositeChart } from "@mantine/charts";
import { Stack } from "@mantine/core";
import type { ByName, EvaluationMetrics } from "@/api/types";
import { axisOf, SHARES } from "@/shared/figures/axis";
import { BarFigure, LineFigure, Whiskers } from "@/shared/figures/charts";
import { CHART, Figure } from "@/shared/figures/Figure";
import { count, decimal } from "@/shared/words/format";
import { Notice } from "@/shared/page/Loaded";

const WAYS = {
  prm: "PRM",
  orm: "ORM",
  majority: "Majority vote",
  oracle: "Oracle",
  proxy: "Proxy: the best score it expects",
};
const SOLVED = "Share solved";
const format = (value: number) => decimal(value);

const BINS = Array.from({ length: 10 }, (_, index) => index / 10);
const SHARE = { key: "frequency", label: "Share that is right", format };
const SAID = { key: "said", label: "Mean P(right)", format };
const STEPS = { key: "number", label: "Steps", format: count };
const BIN = { key: "bin", label: "P(right)" };
const BIN_COLUMNS = [
  BIN,
  SAID,
  SHARE,
  { key: "low", label: "At least", format },
  { key: "high", label: "At most", format },
  STEPS,
];
const BIN_SERIES = [
  { name: SHARE.key, label: SHARE.label, color: "var(--series-1)", type: "bar" as const },
  { name: SAID.key, label: SAID.label, color: "var(--series-2)", type: "line" as const },
];

/** A reliability diagram: bars with 95 % intervals beside what the model said, and below them how many steps each stands for. */
export function Calibration({ bins }: { bins: NonNullable<EvaluationMetrics["calibration"]> }) {
  const rows = (bins.length === 0 ? [] : BINS).map((lowest) => {
    const bin = bins.find((each) => Math.abs(each.low - lowest) < 0.05);
    const [low = bin?.frequency, high = bin?.frequency] = bin?.interval ?? [];
    return {
      bin: `${decimal(lowest, 1)}–${decimal(lowest + 0.1, 1)}`,
      number: bin?.count ?? 0,
      frequency: bin?.frequency,
      said: bin?.mean_probability,
      low,
      high,
    };
  });
  const data = rows.map(({ frequency, low = 0, high = 0, ...row }) => ({
    ...row,
    frequency,
    error: frequency === undefined ? undefined : [frequency - low, high - frequency],
  }));
  return (
    <Figure
      title="Calibration"
      lead="Of the steps given each probability, the share that is right; a perfect model’s bars end at the line. Whiskers: 95 % intervals."
      columns={BIN_COLUMNS}
      rows={rows}
    >
      <CompositeChart
        {...CHART}
        data={data}
        dataKey={BIN.key}
        series={BIN_SERIES}
        withLegend
        valueFormatter={format}
        curveType="linear"
        connectNulls
        maxBarWidth={48}
        xAxisLabel={BIN.label}
        yAxisLabel={SHARE.label}
        yAxisProps={SHARES}
      >
        <Whiskers at={SHARE.key} length="error" />
      </CompositeChart>
      <BarChart
        {...CHART}
        h={120}
        mt="md"
        data={rows}
        dataKey={BIN.key}
        series={[{ name: STEPS.key, label: STEPS.label, color: "var(--series-4)" }]}
        valueFormatter={count}
        maxBarWidth={48}
        xAxisLabel={BIN.label}
        yAxisLabel={STEPS.label}
        yAxisProps={axisOf(
          rows.map(({ number }) => number),
          { isWhole: true },
        )}
      />
    </Figure>
  );
}

export function BestOfN({ found }: { found: EvaluationMetrics["best_of_n"] }) {
  const ways = Object.entries(WAYS).flatMap(([way, label = way]) => {
    const curve = found?.curves?.[way];
    return curve ? [{ way, label, curve }] : [];
  });
  const rows = (found?.sizes ?? []).map((n, at) =>
    Object.fromEntries([
      ["n", n],
      ...ways.flatMap(({ way, curve }) => [
        [way, curve.values[at]],
        [`${way}_low`, curve.intervals[at]?.[0]],
        [`${way}_high`, curve.intervals[at]?.[1]],
      ]),
    ] as [string, number | undefined][]),
  );
  const data = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      ways.map(({ way }) => [
        `${way}_error`,
        [-1, 1].map((side) => side * ((row[side < 0 ? `${way}_low` : `${way}_high`] ?? 0) - (row[way] ?? 0))),
      ]),
    ),
  }));
  const columns = ways.flatMap(({ way, label }, at) => [
    {
      key: way,
      label,
      format,
      ...(way === "proxy" ? { color: "gray.6", strokeDasharray: "4 4" } : { color: `var(--series-${at + 1})` }),
    },
    { key: `${way}_low`, label: `${label}, low`, format },
    { key: `${way}_high`, label: `${label}, high`, format },
  ]);
  return (
    <Stack>
      {found?.falls_at && (
        <Notice tone="unsure">{`Over-optimised from N = ${found.falls_at}: its own score rises while accuracy falls by more than two standard errors. Choose among fewer, or train on what it likes best.`}</Notice>
      )}
      <LineFigure
        title="Best of N"
        lead={`Share solved when one of N solutions is chosen, on ${count(found?.problems ?? 0)} problems not trained on. Whiskers: 95 % intervals.`}
        columns={[{ key: "n", label: "N", format: count }, ...columns]}
        rows={rows}
        data={data}
        measure={SOLVED}
        yAxisProps={SHARES}
        withLegend
      >
        {ways.map(
          ({ way }, at) =>
            way !== "proxy" && (
              <Whiskers key={way} at={way} length={`${way}_error`} color={`var(--series-${at + 1})`} />
            ),
        )}
      </LineFigure>
    </Stack>
  );
}

export function Quintiles({ parts }: { parts: ByName<number>[] }) {
  const drawn = [...Object.entries(WAYS), ["solved", "Solved by one"] as const]
    .filter(([key]) => key === "solved" || parts[0]?.[key] !== undefined)
    .map(([key, label = key], at) => ({ key, label, format, color: `var(--series-${at + 1})` }));
  return (
    <BarFigure
      title="By difficulty"
      lead="Fifths of the problems, from the easiest to the hardest."
      rows={parts.map((part, at) => ({ fifth: String(at + 1), ...part }))}
      measure={SOLVED}
      yAxisProps={SHARES}
      columns={[{ key: "fifth", label: "Fifth" }, { key: "problems", label: "Problems", format: count }, ...drawn]}
    />
  );
}
