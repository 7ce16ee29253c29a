import { Text } from "@mantine/core";
import type { TaskCase } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { MathText } from "@/shared/MathText";
import { Notice } from "@/shared/Notice";
import { Panel } from "@/shared/Panel";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import { Time } from "@/shared/Time";
import classes from "./adjudication.module.css";
import { whoOf } from "./ruling";
import { says } from "./strings";

/** What the case is about: the problem, its answers, and what was reported. */
export function CaseProblem({ task }: { task: TaskCase }) {
  const { problem, solution } = task;
  return (
    <Panel>
      <Reports task={task} />
      <Text size="sm" c="dimmed" mb="xs">
        <bdi>{task.phase_name}</bdi>, {strings.phases.round(task.round_number)} ·{" "}
        {`Version ${problem.version} of the problem`}
      </Text>
      {problem.replaced_by && <Notice tone="unsure">A newer version has replaced this problem.</Notice>}
      <MathText text={problem.statement} />
      <dl className={classes.answers}>
        <div>
          <dt>{says.reference}</dt>
          <dd>{problem.reference_answer ? <AnswerText text={problem.reference_answer} /> : says.none}</dd>
        </div>
        <div>
          <dt>Answer of the solution</dt>
          <dd>{solution.answer ? <AnswerText text={solution.answer} /> : says.none}</dd>
        </div>
        <div>
          <dt>Graded</dt>
          <dd>
            {staffStrings.verdicts[solution.verdict]}{" "}
            <Text span size="sm" c="dimmed">
              {staffStrings.gradedBy(solution.grader_version)}
            </Text>
          </dd>
        </div>
      </dl>
      {problem.reference_solution && (
        <details className={classes.details}>
          <summary>{says.referenceSolution}</summary>
          <MathText text={problem.reference_solution} />
        </details>
      )}
    </Panel>
  );
}

/** Why people brought it up, before anything else. */
function Reports({ task }: { task: TaskCase }) {
  const endings = task.labellings.flatMap(({ id, finish_note, finish_reason, submitted_at }, index) =>
    finish_note
      ? [{ id, who: whoOf(task, index), what: finishOf(finish_reason), at: submitted_at, note: finish_note }]
      : [],
  );
  const reports = task.reports
    .filter(({ kind }) => kind !== "question")
    .map(({ id, annotator, kind, created_at, note }) => ({
      ...{ id, who: annotator ?? says.somebody, what: says.reported[kind] ?? kind, at: created_at, note },
    }));
  const all = [...reports, ...endings];
  if (all.length === 0) return null;
  return (
    <ul className={classes.reports} data-rating="unsure">
      {all.map(({ id, who, what, at, note }) => (
        <li key={id}>
          <Text size="sm" c="dimmed">
            <bdi>{who}</bdi>, <Time at={at} /> · {what}
          </Text>
          {note && <bdi className={classes.note}>{note}</bdi>}
        </li>
      ))}
    </ul>
  );
}

function finishOf(reason: string | null): string {
  return strings.finishReasons[reason ?? ""] ?? strings.finishUnknown;
}
