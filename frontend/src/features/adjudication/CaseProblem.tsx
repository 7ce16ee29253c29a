import type { TaskCase } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { MathText } from "@/shared/MathText";
import { Notice } from "@/shared/Notice";
import { Panel } from "@/shared/Panel";
import { Quiet } from "@/shared/Quiet";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import { Time } from "@/shared/Time";
import classes from "./adjudication.module.css";
import { whoOf } from "./ruling";

/** What the case is about: the problem, its answers, and what was reported. */
export function CaseProblem({ task }: { task: TaskCase }) {
  const { problem, solution } = task;
  const answerOf = (text: string) => (text ? <AnswerText text={text} /> : "none");
  return (
    <Panel>
      <Reports task={task} />
      <Quiet mb="xs">
        <bdi>{task.phase_name}</bdi>,{" "}
        {`${strings.phases.round(task.round_number)} · Version ${problem.version} of the problem`}
      </Quiet>
      {problem.replaced_by && <Notice tone="unsure">A newer version has replaced this problem.</Notice>}
      <MathText text={problem.statement} />
      <dl className={classes.answers}>
        <div>
          <dt>Reference answer</dt>
          <dd>{answerOf(problem.reference_answer)}</dd>
        </div>
        <div>
          <dt>Answer of the solution</dt>
          <dd>{answerOf(solution.answer)}</dd>
        </div>
        <div>
          <dt>Graded</dt>
          <dd>
            {staffStrings.verdicts[solution.verdict]}
            <Quiet>{staffStrings.gradedBy(solution.grader_version)}</Quiet>
          </dd>
        </div>
      </dl>
      {problem.reference_solution && (
        <details style={{ marginTop: "0.8rem" }}>
          <summary>Reference solution</summary>
          <MathText text={problem.reference_solution} />
        </details>
      )}
    </Panel>
  );
}

const REPORTED: Record<string, string | undefined> = {
  reference_answer: "says that the reference answer looks wrong",
  gold: "says that the experts’ labels look wrong",
};

/** Why people brought it up, before anything else. */
function Reports({ task }: { task: TaskCase }) {
  const reports = task.reports
    .filter(({ kind }) => kind !== "question")
    .map(({ id, annotator, kind, created_at, note }) => ({
      ...{ id, note, who: annotator ?? "Somebody", what: REPORTED[kind] ?? kind, at: created_at },
    }));
  const endings = task.labellings
    .map(({ id, finish_note, finish_reason, submitted_at }, index) => ({
      ...{ id, note: finish_note, who: whoOf(task, index), at: submitted_at },
      what: strings.finishReasons[finish_reason ?? ""] ?? strings.finishUnknown,
    }))
    .filter(({ note }) => note);
  const all = [...reports, ...endings];
  if (all.length === 0) return null;
  return (
    <ul className={classes.reports} data-rating="unsure">
      {all.map(({ id, who, what, at, note }) => (
        <li key={id}>
          <Quiet>
            <bdi>{who}</bdi>, <Time at={at} /> · {what}
          </Quiet>
          {note && <bdi className={classes.note}>{note}</bdi>}
        </li>
      ))}
    </ul>
  );
}
