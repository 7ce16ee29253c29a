import { LineChart } from "@mantine/charts";
import { Stack, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorBar, Line } from "recharts";
import type { EvaluationMetrics, EvaluationRun } from "@/api/types";
import { BarFigure } from "@/shared/BarFigure";
import { count, decimal, percent } from "@/shared/format";
import { CHART, Figure } from "@/shared/Figure";
import { modelsQuery } from "@/shared/models";
import { Notice } from "@/shared/Notice";
import { Facts, Panel } from "@/shared/Panel";
import classes from "./models.module.css";
import { says } from "./strings";

const WAYS = ["prm", "orm", "majority", "oracle", "proxy"];
const figure = (value: number) => decimal(value);
const tick = (value: number) => decimal(value, 2);
const SHARES = { domain: [0, 1], tickFormatter: tick };

/** What the newest evaluation measured, beside the model that was current then. */
export function Evaluation({ run: { metrics, baseline, baseline_metrics } }: { run: EvaluationRun }) {
  const models = useQuery(modelsQuery).data;
  const other = models?.find(({ id }) => id === baseline)?.name ?? says.current;
  return (
    <div className={classes.results}>
      <Panel title={says.compared}><Compared metrics={metrics} baseline={baseline_metrics} other={other} /></Panel>
      {metrics.first_error?.thresholds && <Panel title={says.firstError}><FirstError found={metrics.first_error} /></Panel>}
      <Panel><Calibration bins={metrics.calibration ?? []} /></Panel>
      <Panel><BestOfN found={metrics.best_of_n} /></Panel>
      <Panel><Quintiles parts={metrics.best_of_n?.quintiles ?? []} /></Panel>
    </div>
  );
}

function Compared({ metrics, baseline, other }: { metrics: EvaluationMetrics; baseline: EvaluationMetrics; other: string }) {
  const columns = baseline.held_out ? [metrics.held_out, baseline.held_out] : [metrics.held_out];
  return (
    <Table>
      <Table.Thead><Table.Tr>{[says.figure, says.this, other].slice(0, columns.length + 1).map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
      <Table.Tbody>
        {Object.entries(says.figures).map(([key, name]) => (
          <Table.Tr key={key}><Table.Th scope="row" fw={500}>{name}</Table.Th>{columns.map((held, index) => <Table.Td key={index}>{key === "steps" ? count(held?.[key] ?? 0) : decimal(held?.[key])}</Table.Td>)}</Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function FirstError({ found }: { found: EvaluationMetrics["first_error"] }) {
  const facts = [
    { name: says.f1, value: decimal(found?.f1) }, { name: says.erroneous, value: decimal(found?.erroneous) }, { name: says.correct, value: decimal(found?.correct) },
    { name: says.threshold, value: found?.thresholds?.map(figure).join(" / ") ?? "–" },
    { name: says.solutions, value: `${count(found?.solutions_erroneous ?? 0)} + ${count(found?.solutions_correct ?? 0)}` },
    { name: says.atTheEnd, value: found?.decided_at_the_end === undefined ? "–" : percent(found.decided_at_the_end) },
  ];
  return <><p className={classes.lead}>{says.firstErrorLead}</p><Facts facts={facts} /></>;
}

function Calibration({ bins }: { bins: NonNullable<EvaluationMetrics["calibration"]> }) {
  const rows = bins.map(({ mean_probability, frequency, count: number }) => ({ probability: mean_probability, frequency, even: mean_probability, number }));
  const columns = [{ key: "probability", label: says.probability, format: figure }, { key: "frequency", label: says.frequency, format: figure }, { key: "number", label: says.number, format: count }];
  return (
    <Figure title={says.calibration} lead={says.calibrationLead} columns={columns} rows={rows}>
      <LineChart {...CHART} data={rows} dataKey="probability" curveType="linear" withLegend valueFormatter={figure} xAxisLabel={says.probability}
        series={[{ name: "frequency", label: says.frequency, color: "var(--series-1)" }, { name: "even", label: says.even, color: "var(--series-4)", strokeDasharray: "4 4" }]}
        xAxisProps={{ type: "number", domain: [0, 1], tickFormatter: tick }} yAxisProps={SHARES} />
    </Figure>
  );
}

function BestOfN({ found }: { found: EvaluationMetrics["best_of_n"] }) {
  const ways = WAYS.filter((way) => found?.curves?.[way]);
  const rows = (found?.sizes ?? []).map((n, index) => ({
    n, ...Object.fromEntries(ways.flatMap((way) => [[way, found?.curves?.[way]?.values[index]], [`${way}_error`, found?.curves?.[way]?.errors[index]]])),
  }));
  const name = (way: string) => says.ways[way] ?? way;
  const columns = [{ key: "n", label: says.samples, format: count }, ...ways.flatMap((way) => [{ key: way, label: name(way), format: figure }, { key: `${way}_error`, label: `${name(way)}, ${says.error}`, format: figure }])];
  const colour = (way: string) => (way === "proxy" ? "gray.6" : `var(--series-${ways.indexOf(way) + 1})`);
  return (
    <Stack>
      {found?.falls_at && <Notice tone="unsure">{says.falling(found.falls_at)}</Notice>}
      <Figure title={says.bestOf} lead={says.bestOfLead(count(found?.problems ?? 0))} columns={columns} rows={rows}>
        <LineChart {...CHART} data={rows} dataKey="n" curveType="linear" withLegend valueFormatter={figure} xAxisLabel={says.samples} yAxisProps={SHARES}
          series={ways.map((way) => ({ name: way, label: name(way), color: colour(way), ...(way === "proxy" && { strokeDasharray: "4 4" }) }))}>
          {ways.filter((way) => way !== "proxy").map((way) => (
            <Line key={way} dataKey={way} stroke="none" dot={false} activeDot={false} legendType="none" tooltipType="none" isAnimationActive={false}><ErrorBar dataKey={`${way}_error`} width={4} stroke={colour(way)} /></Line>
          ))}
        </LineChart>
      </Figure>
    </Stack>
  );
}

function Quintiles({ parts }: { parts: Record<string, number>[] }) {
  const rows = parts.map((part, index) => ({ fifth: String(index + 1), ...part }));
  const measured = WAYS.filter((way) => parts[0]?.[way] !== undefined);
  const names: [key: string, label: string][] = [...measured.map((way): [string, string] => [way, says.ways[way] ?? way]), ["solved", says.solved]];
  const drawn = names.map(([key, label], index) => ({ key, label, format: figure, color: `var(--series-${index + 1})` }));
  return (
    <BarFigure title={says.quintiles} lead={says.quintilesLead} rows={rows} xAxisLabel={says.fifth} yAxisProps={SHARES}
      columns={[{ key: "fifth", label: says.fifth }, { key: "problems", label: says.problems, format: count }, ...drawn]} />
  );
}
