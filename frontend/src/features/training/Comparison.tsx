import { LineChart } from "@mantine/charts";
import { Table, Title } from "@mantine/core";
import type { TrainingRun } from "@/api/types";
import { count, decimal } from "@/shared/format";
import { CHART, Figure } from "@/shared/Figure";
import { Rows } from "@/shared/Listing";
import { Panel } from "@/shared/Panel";
import { says } from "./strings";
import classes from "./training.module.css";

type Points = (run: TrainingRun) => (readonly [step: number, value: number])[];

const losses: Points = (run) => run.loss_curve.map(([step = 0, loss = 0]) => [step, loss]);
const aucs: Points = (run) => (run.metrics.epochs ?? []).flatMap(({ step, step_auc }) => (step === undefined || step_auc === undefined ? [] : [[step, step_auc] as const]));

/** One run's curves, or two runs' laid over each other, with their settings, data and figures side by side. */
export function Comparison({ runs }: { runs: TrainingRun[] }) {
  return (
    <>
      <div className={classes.curves}>
        <Panel><Curves title={says.loss} lead={says.lossLead} runs={runs} points={losses} /></Panel>
        <Panel><Curves title={says.aucCurve} lead={says.aucLead} runs={runs} points={aucs} hasDots /></Panel>
      </div>
      <Title order={2} size="h5" mt="lg" mb="sm">{says.side}</Title>
      <Rows rows={FACTS} heads={[says.what, ...runs.map(({ name }) => name)]} width={runs.length * 220}>
        {([name, value]) => <Table.Tr key={name}><Table.Th scope="row" fw={500}>{name}</Table.Th>{runs.map((run) => <Table.Td key={run.id} style={{ overflowWrap: "anywhere" }}>{value(run)}</Table.Td>)}</Table.Tr>}
      </Rows>
    </>
  );
}

function Curves({ title, lead, runs, points, hasDots = false }: { title: string; lead: string; runs: TrainingRun[]; points: Points; hasDots?: boolean }) {
  const rows = new Map<number, Record<string, number>>();
  for (const run of runs) for (const [step, value] of points(run)) rows.set(step, { ...rows.get(step), step, [run.id]: value });
  const data = [...rows.values()].sort((left, right) => (left.step ?? 0) - (right.step ?? 0));
  const series = runs.map((run, index) => ({ name: run.id, label: run.name, color: `var(--series-${index + 1})` }));
  return (
    <Figure title={title} lead={lead} columns={[{ key: "step", label: says.step, format: count }, ...runs.map((run) => ({ key: run.id, label: run.name, format: (value: number) => decimal(value) }))]} rows={data}>
      <LineChart {...CHART} data={data} dataKey="step" series={series} withDots={hasDots} connectNulls curveType="linear" withLegend={runs.length > 1} valueFormatter={(value) => decimal(value)}
        xAxisProps={{ type: "number", domain: ["dataMin", "dataMax"] }} yAxisProps={{ domain: hasDots ? ["auto", "auto"] : [0, "auto"], tickFormatter: (value: number) => decimal(value, 2) }} />
    </Figure>
  );
}

const setting = (name: keyof NonNullable<TrainingRun["settings"]>) => [says[name], (run: TrainingRun) => String(run.settings?.[name] ?? says.automatic)] as const;
const heldOut = (label: string, name: string) => [label, (run: TrainingRun) => decimal(run.metrics.held_out?.[name])] as const;
const held = (label: string, name: string) => [label, (run: TrainingRun) => {
  const number = (run.snapshot?.counts as Record<string, number> | undefined)?.[name];
  return number === undefined ? "–" : count(number);
}] as const;

const FACTS: (readonly [string, (run: TrainingRun) => string])[] = [
  [says.supervision, (run) => says.supervisions[run.supervision ?? "process"]],
  [says.base, (run) => run.base || says.automatic],
  ...(["epochs", "learning_rate", "seed", "lora_rank", "head_steps", "patience", "precision"] as const).map(setting),
  [says.snapshot, (run) => run.snapshot?.labels_hash.slice(0, 12) ?? "–"],
  held(says.labellings, "labellings"), held(says.ratings, "labels"), held(says.positive, "positive"), held(says.neutral, "neutral"), held(says.negative, "negative"),
  heldOut(says.auc, "step_auc"), heldOut(says.accuracy, "accuracy"), heldOut(says.heldOutLoss, "loss"), heldOut(says.calibration, "calibration_error"),
];
