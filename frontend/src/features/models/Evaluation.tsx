import { BarChart, CompositeChart, LineChart } from "@mantine/charts";
import { Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorBar, Line } from "recharts";
import type { EvaluationMetrics, EvaluationRun } from "@/api/types";
import { axisOf, SHARES } from "@/shared/axis";
import { BarFigure } from "@/shared/BarFigure";
import { Estimate } from "@/shared/Estimate";
import { count, decimal, percent, plural } from "@/shared/format";
import { CHART, Figure } from "@/shared/Figure";
import { modelsQuery } from "@/shared/models";
import { Notice } from "@/shared/Notice";
import { PairedDifference } from "@/shared/PairedDifference";
import { Facts, Panel } from "@/shared/Panel";
import { reachable } from "@/shared/reachable";
import classes from "./models.module.css";
import { says } from "./strings";

const WAYS = ["prm", "orm", "majority", "oracle", "proxy"];
const figure = (value: number) => decimal(value);
const Z = 1.96;

/** What the newest evaluation measured, beside the model that was current then. */
export function Evaluation({ run: { metrics, baseline, baseline_metrics } }: { run: EvaluationRun }) {
  const models = useQuery(modelsQuery).data;
  const other = models?.find(({ id }) => id === baseline)?.name ?? says.current;
  return (
    <div className={classes.results}>
      <div className={classes.whole}>
        <Panel title="On the same held-out labels">
          <Compared metrics={metrics} baseline={baseline_metrics} other={other} />
        </Panel>
      </div>
      {metrics.first_error?.thresholds && (
        <Panel title="Finding the first error">
          <FirstError metrics={metrics} />
        </Panel>
      )}
      <Panel>
        <Calibration bins={metrics.calibration ?? []} />
      </Panel>
      <Panel>
        <BestOfN found={metrics.best_of_n} />
      </Panel>
      <Panel>
        <Quintiles parts={metrics.best_of_n?.quintiles ?? []} />
      </Panel>
    </div>
  );
}

function Compared({
  metrics,
  baseline,
  other,
}: {
  metrics: EvaluationMetrics;
  baseline: EvaluationMetrics;
  other: string;
}) {
  const isPaired = baseline.held_out !== undefined;
  const columns = isPaired ? [metrics, baseline] : [metrics];
  const heads = ["Metric", "This one", ...(isPaired ? [other, "Difference"] : [])];
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {metrics.problems === undefined
          ? ""
          : `On ${plural(metrics.problems, "problem")} that neither was trained on. In grey, and after ±: 95 % intervals; differences are paired by problem.`}
        {Boolean(metrics.labels_left_out) && ` ${says.leftOut(plural(metrics.labels_left_out ?? 0, "label"))}`}
      </Text>
      <div className="sideways" ref={reachable}>
        <Table miw={isPaired ? 520 : undefined}>
          <Table.Thead>
            <Table.Tr>
              {heads.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(says.figures).map(([key, name]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" fw={500}>
                  {name}
                </Table.Th>
                {columns.map(({ held_out, intervals }, index) => (
                  <Table.Td key={index}>
                    {key === "steps" ? (
                      count(held_out?.[key] ?? 0)
                    ) : (
                      <Estimate value={held_out?.[key]} interval={intervals?.[key]} />
                    )}
                  </Table.Td>
                ))}
                {isPaired && (
                  <Table.Td>
                    <PairedDifference of={metrics.differences?.[key]} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

function FirstError({ metrics: { first_error: found, intervals } }: { metrics: EvaluationMetrics }) {
  const facts = [
    ...(["f1", "erroneous", "correct"] as const).map((key) => ({
      name: says[key],
      value: <Estimate value={found?.[key]} interval={intervals?.[key]} />,
    })),
    { name: "Thresholds", value: found?.thresholds?.map(figure).join(" / ") ?? "–" },
    {
      name: "Solutions, wrong + right",
      value: `${count(found?.solutions_erroneous ?? 0)} + ${count(found?.solutions_correct ?? 0)}`,
    },
    {
      name: "Decided at the last step",
      value: found?.decided_at_the_end === undefined ? "–" : percent(found.decided_at_the_end),
    },
  ];
  return (
    <>
      <p className={classes.lead}>As in ProcessBench; the threshold for each half was chosen on the other half.</p>
      <Facts facts={facts} />
    </>
  );
}

const BINS = Array.from({ length: 10 }, (_, index) => index / 10);

/** A reliability diagram: bars with 95 % intervals beside what the model said, and below them how many steps each stands for. */
function Calibration({ bins }: { bins: NonNullable<EvaluationMetrics["calibration"]> }) {
  const rows =
    bins.length === 0
      ? []
      : BINS.map((low) => {
          const bin = bins.find((each) => Math.abs(each.low - low) < 0.05);
          const name = `${decimal(low, 1)}–${decimal(low + 0.1, 1)}`;
          const [least = bin?.frequency, most = bin?.frequency] = bin?.interval ?? [];
          return {
            bin: name,
            number: bin?.count ?? 0,
            frequency: bin?.frequency,
            said: bin?.mean_probability,
            low: least,
            high: most,
          };
        });
  const data = rows.map((row) => ({
    ...row,
    error: row.frequency === undefined ? undefined : [row.frequency - (row.low ?? 0), (row.high ?? 0) - row.frequency],
  }));
  const columns = [
    { key: "bin", label: says.bin },
    { key: "said", label: says.probability, format: figure },
    { key: "frequency", label: says.frequency, format: figure },
    { key: "low", label: says.low, format: figure },
    { key: "high", label: says.high, format: figure },
    { key: "number", label: says.number, format: count },
  ];
  const series = [
    { name: "frequency", label: says.frequency, color: "var(--series-1)", type: "bar" as const },
    { name: "said", label: says.probability, color: "var(--series-2)", type: "line" as const },
  ];
  return (
    <Figure
      title={says.calibration}
      lead="Of the steps given each probability, the share that is right; a perfect model’s bars end at the line. Whiskers: 95 % intervals."
      columns={columns}
      rows={rows}
    >
      <CompositeChart
        {...CHART}
        data={data}
        dataKey="bin"
        series={series}
        withLegend
        valueFormatter={figure}
        curveType="linear"
        connectNulls
        maxBarWidth={48}
        xAxisLabel={says.bin}
        yAxisLabel={says.frequency}
        yAxisProps={SHARES}
      >
        <Line
          dataKey="frequency"
          stroke="none"
          dot={false}
          activeDot={false}
          legendType="none"
          tooltipType="none"
          isAnimationActive={false}
        >
          <ErrorBar isAnimationActive={false} dataKey="error" width={4} stroke="currentColor" />
        </Line>
      </CompositeChart>
      <BarChart
        {...CHART}
        h={120}
        mt="md"
        data={rows}
        dataKey="bin"
        series={[{ name: "number", label: says.number, color: "var(--series-4)" }]}
        valueFormatter={count}
        maxBarWidth={48}
        xAxisLabel={says.bin}
        yAxisLabel={says.number}
        yAxisProps={axisOf(
          rows.map(({ number }) => number),
          { isWhole: true },
        )}
      />
    </Figure>
  );
}

function BestOfN({ found }: { found: EvaluationMetrics["best_of_n"] }) {
  const ways = WAYS.filter((way) => found?.curves?.[way]);
  const rows = (found?.sizes ?? []).map((n, index) => ({
    n,
    ...Object.fromEntries(
      ways.flatMap((way) => [
        [way, found?.curves?.[way]?.values[index]],
        [`${way}_error`, Z * (found?.curves?.[way]?.errors[index] ?? 0)],
      ]),
    ),
  }));
  const name = (way: string) => says.ways[way] ?? way;
  const columns = [
    { key: "n", label: says.samples, format: count },
    ...ways.flatMap((way) => [
      { key: way, label: name(way), format: figure },
      { key: `${way}_error`, label: `${name(way)}, ± (95 %)`, format: figure },
    ]),
  ];
  const colour = (way: string) => (way === "proxy" ? "gray.6" : `var(--series-${ways.indexOf(way) + 1})`);
  return (
    <Stack>
      {found?.falls_at && (
        <Notice tone="unsure">{`Over-optimised from N = ${found.falls_at}: its own score rises while accuracy falls by more than two standard errors. Choose among fewer, or train on what it likes best.`}</Notice>
      )}
      <Figure
        title="Best of N"
        lead={`Share solved when one of N solutions is chosen, on ${count(found?.problems ?? 0)} problems not trained on. Whiskers: 95 % intervals.`}
        columns={columns}
        rows={rows}
      >
        <LineChart
          {...CHART}
          data={rows}
          dataKey="n"
          curveType="linear"
          withLegend
          valueFormatter={figure}
          xAxisLabel={says.samples}
          yAxisLabel={says.solvedShare}
          yAxisProps={SHARES}
          series={ways.map((way) => ({
            name: way,
            label: name(way),
            color: colour(way),
            ...(way === "proxy" && { strokeDasharray: "4 4" }),
          }))}
        >
          {ways
            .filter((way) => way !== "proxy")
            .map((way) => (
              <Line
                key={way}
                dataKey={way}
                stroke="none"
                dot={false}
                activeDot={false}
                legendType="none"
                tooltipType="none"
                isAnimationActive={false}
              >
                <ErrorBar isAnimationActive={false} dataKey={`${way}_error`} width={4} stroke={colour(way)} />
              </Line>
            ))}
        </LineChart>
      </Figure>
    </Stack>
  );
}

function Quintiles({ parts }: { parts: Record<string, number>[] }) {
  const rows = parts.map((part, index) => ({ fifth: String(index + 1), ...part }));
  const measured = WAYS.filter((way) => parts[0]?.[way] !== undefined);
  const names: [key: string, label: string][] = [
    ...measured.map((way): [string, string] => [way, says.ways[way] ?? way]),
    ["solved", "Solved by one"],
  ];
  const drawn = names.map(([key, label], index) => ({
    key,
    label,
    format: figure,
    color: `var(--series-${index + 1})`,
  }));
  return (
    <BarFigure
      title="By difficulty"
      lead="Fifths of the problems, from the easiest to the hardest."
      rows={rows}
      measure={says.solvedShare}
      yAxisProps={SHARES}
      columns={[{ key: "fifth", label: "Fifth" }, { key: "problems", label: "Problems", format: count }, ...drawn]}
    />
  );
}
