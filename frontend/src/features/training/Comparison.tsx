import { Group, Switch, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RewardModel, TrainingRun } from "@/api/types";
import { axisOf } from "@/shared/axis";
import { LineFigure } from "@/shared/charts";
import { Estimate } from "@/shared/Estimate";
import { count, decimal } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { modelsQuery } from "@/shared/choices";
import { Panel } from "@/shared/Panel";
import { factsOf, type Fact } from "./facts";
import classes from "./training.module.css";

const SIDE = "Side by side";

type Points = (run: TrainingRun) => (readonly [step: number, value: number])[];

const losses: Points = (run) => run.loss_curve.map(([step = 0, loss = 0]) => [step, loss]);
const aucs: Points = (run) =>
  (run.metrics.epochs ?? []).flatMap(({ step, step_auc }) =>
    step === undefined || step_auc === undefined ? [] : [[step, step_auc] as const],
  );

/** One run's curves, or several runs' laid over each other, with their settings, data and figures side by side: what differs is marked. */
export function Comparison({ runs }: { runs: TrainingRun[] }) {
  const models = useQuery(modelsQuery).data ?? [];
  const [isShort, setIsShort] = useState(false);
  const facts = factsOf(runs);
  const shown = isShort && runs.length > 1 ? facts.filter(({ differs }) => differs) : facts;
  return (
    <>
      <div className={classes.curves}>
        <Panel>
          <Curves
            title="Training loss"
            lead="Mean cross-entropy of each optimiser step."
            value="Loss"
            runs={runs}
            points={losses}
          />
        </Panel>
        <Panel>
          <Curves
            title="Held-out step AUC"
            lead="After each epoch: how well negative steps are told from the others."
            value="Step AUC"
            runs={runs}
            points={aucs}
            hasDots
          />
        </Panel>
      </div>
      <Group justify="space-between" mt="lg" mb="sm">
        <Title order={2} size="h5">
          {runs.length > 1 ? SIDE : "How it was made"}
        </Title>
        {runs.length > 1 && (
          <Switch
            label="Only what differs"
            checked={isShort}
            onChange={(event) => setIsShort(event.currentTarget.checked)}
          />
        )}
      </Group>
      <Rows rows={shown} heads={["What", ...runs.map(({ name }) => name)]} width={160 + runs.length * 200} name={SIDE}>
        {(fact) => <FactRow key={fact.name} fact={fact} runs={runs} models={models} />}
      </Rows>
    </>
  );
}

interface RowProps {
  fact: Fact;
  runs: TrainingRun[];
  models: RewardModel[];
}

function FactRow({ fact: { name, values, metric, differs }, runs, models }: RowProps) {
  const isMarked = differs && metric === undefined;
  return (
    <Table.Tr data-differs={isMarked || undefined} className={classes.fact}>
      <Table.Th scope="row">
        {name}
        {isMarked && <span className={classes.differs}>differs</span>}
      </Table.Th>
      {runs.map((run, index) => (
        <Table.Td key={run.id}>
          {metric ? <Measured run={run} metric={metric} models={models} /> : values[index]}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** As its newest evaluation has it, with the interval; before there is one, as the training measured it. */
function Measured({ run, metric, models }: { run: TrainingRun; metric: string; models: RewardModel[] }) {
  const evaluated = models.find(({ id }) => id === run.reward_model)?.evaluated;
  return <Estimate value={(evaluated ?? run.metrics).held_out?.[metric]} interval={evaluated?.intervals?.[metric]} />;
}

interface CurvesProps {
  title: string;
  lead: string;
  value: string;
  runs: TrainingRun[];
  points: Points;
  hasDots?: boolean;
}

function Curves({ title, lead, value, runs, points, hasDots = false }: CurvesProps) {
  const rows = new Map<number, Record<string, number>>();
  for (const run of runs)
    for (const [step, point] of points(run)) rows.set(step, { ...rows.get(step), step, [run.id]: point });
  const drawn = runs.flatMap((run) => points(run).map(([, point]) => point));
  return (
    <LineFigure
      title={title}
      lead={lead}
      columns={[
        { key: "step", label: "Step", format: count },
        ...runs.map((run, at) => ({
          key: run.id,
          label: run.name,
          format: (point: number) => decimal(point),
          color: `var(--series-${at + 1})`,
        })),
      ]}
      rows={[...rows.values()].sort((left, right) => (left.step ?? 0) - (right.step ?? 0))}
      measure={value}
      withDots={hasDots}
      connectNulls
      xAxisProps={axisOf([...rows.keys()], { isWhole: true, isFromZero: !hasDots })}
      yAxisProps={axisOf(drawn, { isFromZero: !hasDots })}
    />
  );
}
