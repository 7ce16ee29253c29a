import { Group, Switch, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ByName, RewardModel, TrainingRun } from "@/api/types";
import { axisOf } from "@/shared/figures/axis";
import { LineFigure } from "@/shared/figures/charts";
import { Estimate } from "@/shared/figures/Estimate";
import { count, decimal } from "@/shared/words/format";
import { Rows, type Shown } from "@/shared/tables/Listing";
import { modelsQuery } from "@/shared/forms/choices";
import { Panel } from "@/shared/page/Panel";
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
      <Rows
        rows={shown}
        columns={[WHAT, ...runs.map((run, index) => columnOf(run, index, models))]}
        keyOf={({ name }) => name}
        tr={(fact) => ({ className: classes.fact, "data-differs": isMarked(fact) || undefined })}
        width={160 + runs.length * 200}
        name={SIDE}
      />
    </>
  );
}

function isMarked({ differs, metric }: Fact): boolean {
  return differs && metric === undefined;
}

const WHAT: Shown<Fact> = {
  head: "What",
  isRowHead: true,
  cell: (fact) => (
    <>
      {fact.name}
      {isMarked(fact) && <span className={classes.differs}>differs</span>}
    </>
  ),
};

function columnOf(run: TrainingRun, index: number, models: RewardModel[]): Shown<Fact> {
  return {
    head: run.name,
    cell: ({ metric, values }) => (metric ? <Measured run={run} metric={metric} models={models} /> : values[index]),
  };
}

/** The value of its newest evaluation, with the interval; before there is one, as the training measured it. */
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
  const rows = new Map<number, ByName<number>>();
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
