import { useQuery } from "@tanstack/react-query";
import type { EvaluationMetrics, EvaluationRun } from "@/api/types";
import { Estimate, PairedDifference } from "@/shared/figures/Estimate";
import { count, decimal, percent, plural } from "@/shared/words/format";
import { modelsQuery } from "@/shared/forms/choices";
import { Dim, Facts, Panel } from "@/shared/page/Panel";
import { reachable } from "@/shared/page/reachable";
import { Grid, type Shown } from "@/shared/tables/Listing";
import { BestOfN, Calibration, Quintiles } from "./evaluationFigures";
import classes from "./models.module.css";

const METRICS = {
  step_auc: "Step AUC",
  step_auc_by_place: "AUC of a step’s place alone",
  f1: "First-error F1",
  accuracy: "Accuracy",
  loss: "Loss",
  calibration_error: "Calibration error",
  steps: "Steps",
};
const LOWER_IS_BETTER = new Set(["loss", "calibration_error"]);
const FOUND = {
  f1: "F1",
  f1_at_half: "F1 at a threshold of ½, as ProcessBench",
  erroneous: "Found in wrong solutions",
  correct: "Right solutions accepted",
};

/** The newest evaluation, beside the model that was current then. */
export function Evaluation({ run: { metrics, baseline, baseline_metrics, shortage } }: { run: EvaluationRun }) {
  const models = useQuery(modelsQuery).data;
  const other = models?.find(({ id }) => id === baseline)?.name ?? "Current";
  return (
    <div className={classes.results}>
      <div className={classes.whole}>
        <Panel title="On the same held-out labels">
          <Compared metrics={metrics} baseline={baseline_metrics} other={other} isEnough={!shortage} />
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

type Metrics = EvaluationMetrics;

interface Pair {
  metrics: Metrics;
  baseline: Metrics;
  other: string;
  /** True if there are enough labels to decide. */
  isEnough: boolean;
}

function Compared({ metrics, baseline, other, isEnough }: Pair) {
  const isPaired = baseline.held_out !== undefined;
  const measured = (head: string, { held_out, intervals }: Metrics): Shown<[string, string?]> => ({
    head,
    cell: ([key]) =>
      key === "steps" ? count(held_out?.[key] ?? 0) : <Estimate value={held_out?.[key]} interval={intervals?.[key]} />,
  });
  const difference: Shown<[string, string?]> = {
    head: "Difference",
    cell: ([key]) => (
      <PairedDifference of={metrics.differences?.[key]} isEnough={isEnough} isLowerBetter={LOWER_IS_BETTER.has(key)} />
    ),
  };
  const columns = [
    { head: "Metric", isRowHead: true, cell: ([, name]) => name } satisfies Shown<[string, string?]>,
    measured("This one", metrics),
    ...(isPaired ? [measured(other, baseline), difference] : []),
  ];
  return (
    <>
      <Dim mb="xs">
        {metrics.problems !== undefined &&
          `On ${plural(metrics.held_out?.steps ?? 0, "step")} of ${plural(metrics.problems, "problem")} that neither was trained on. In grey, and after ±: 95 % intervals; differences are paired by problem.`}
        {metrics.labels_left_out
          ? ` ${plural(metrics.labels_left_out, "label")} left out: too long for one of the two.`
          : ""}
      </Dim>
      <div className="sideways" ref={reachable}>
        <Grid
          rows={Object.entries(METRICS)}
          columns={columns}
          keyOf={([key]) => key}
          miw={isPaired ? 520 : undefined}
        />
      </div>
    </>
  );
}

function FirstError({ metrics: { first_error: found, intervals } }: { metrics: Metrics }) {
  const facts = [
    ...(["f1", "f1_at_half", "erroneous", "correct"] as const).map((key) => ({
      name: FOUND[key],
      value: <Estimate value={found?.[key]} interval={intervals?.[key]} />,
    })),
    { name: "Thresholds", value: found?.thresholds?.map((each) => decimal(each)).join(" / ") ?? "–" },
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
      <Dim mb="sm">As in ProcessBench; the threshold for each half was chosen on the other half.</Dim>
      <Facts facts={facts} />
    </>
  );
}
