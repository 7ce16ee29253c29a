import { BarChart, CompositeChart } from "@mantine/charts";
import { Stack } from "@mantine/core";
import type { ByName, EvaluationMetrics } from "@/api/types";
import { axisOf, SHARES } from "@/shared/figures/axis";
import { BarFigure, LineFigure, Whiskers } from "@/shared/figures/charts";
import { CHART, Figure, type FigureRow } from "@/shared/figures/Figure";
import { spread, withEnds, withReach } from "@/shared/figures/intervals";
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
const BIN_COLUMNS = [BIN, SAID, ...withEnds(SHARE), STEPS];
const BIN_SERIES = [
  { name: SHARE.key, label: SHARE.label, color: "var(--series-1)", type: "bar" as const },
  { name: SAID.key, label: SAID.label, color: "var(--series-2)", type: "line" as const },
];

/** A reliability diagram: observed rates with 95 % intervals against the model's probabilities, and the steps per bin. */
export function Calibration({ bins }: { bins: NonNullable<EvaluationMetrics["calibration"]> }) {
  const rows = (bins.length === 0 ? [] : BINS).map((lowest) => {
    const bin = bins.find((each) => Math.abs(each.low - lowest) < 0.05);
    return {
      bin: `${decimal(lowest, 1)}–${decimal(lowest + 0.1, 1)}`,
      number: bin?.count ?? 0,
      said: bin?.mean_probability,
      ...spread(SHARE.key, bin?.frequency, bin?.interval),
    };
  });
  return (
    <Figure
      title="Calibration"
      lead="Of the steps given each probability, the share that is right; a perfect model’s bars end at the line. Whiskers: 95 % intervals."
      columns={BIN_COLUMNS}
      rows={rows}
    >
      <CompositeChart
        {...CHART}
        data={withReach(rows, [SHARE.key])}
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
        <Whiskers at={SHARE.key} />
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
  const ways = Object.entries(WAYS).flatMap(([way, label]) => {
    const curve = found?.curves?.[way];
    return curve ? [{ way, label, curve }] : [];
  });
  const rows = (found?.sizes ?? []).map((n, at) =>
    ways.reduce<FigureRow>(
      (row, { way, curve }) => ({ ...row, ...spread(way, curve.values[at], curve.intervals[at]) }),
      { n },
    ),
  );
  const columns = ways.flatMap(({ way, label }, at) =>
    way === "proxy"
      ? withEnds({ key: way, label, format, color: "gray.6", strokeDasharray: "4 4" })
      : [{ key: way, label, format, color: `var(--series-${at + 1})`, hasInterval: true }],
  );
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
        measure={SOLVED}
        yAxisProps={SHARES}
        withLegend
      />
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
