import { Text } from "@mantine/core";
import type { Queue, TaskCase } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { when } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { Notice } from "@/shared/Notice";
import { Panel } from "@/shared/Panel";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import classes from "./adjudication.module.css";
import { says } from "./strings";

/** What the case is about: the problem, its answers, and what was reported. */
export function CaseProblem({ task, queue }: { task: TaskCase; queue: Queue }) {
  const { problem, solution } = task;
  const reports = task.reports.filter(({ kind }) => kind === queue);
  return (
    <Panel>
      <Text size="sm" c="dimmed" mb="xs">
        <bdi>{task.phase_name}</bdi>, {strings.phases.round(task.round_number)} · {says.version(problem.version)}
      </Text>
      {problem.replaced_by && <Notice tone="unsure">{says.replaced}</Notice>}
      <MathText text={problem.statement} />
      <dl className={classes.answers}>
        <div>
          <dt>{says.reference}</dt>
          <dd>{problem.reference_answer ? <AnswerText text={problem.reference_answer} /> : says.none}</dd>
        </div>
        <div>
          <dt>{says.given}</dt>
          <dd>{solution.answer ? <AnswerText text={solution.answer} /> : says.none}</dd>
        </div>
        <div>
          <dt>{says.verdict}</dt>
          <dd>
            {staffStrings.verdicts[solution.verdict]}{" "}
            <Text span size="sm" c="dimmed">
              {says.gradedBy(staffStrings.grader(solution.grader_version))}
            </Text>
          </dd>
        </div>
      </dl>
      {reports.map((report) => (
        <Text key={report.id} mt="sm">
          <Text span size="sm" c="dimmed">
            <bdi>{report.annotator ?? says.somebody}</bdi>, {when(report.created_at)}:{" "}
          </Text>
          <bdi>{report.note || says.said}</bdi>
        </Text>
      ))}
      {problem.reference_solution && (
        <details className={classes.details}>
          <summary>{says.referenceSolution}</summary>
          <MathText text={problem.reference_solution} />
        </details>
      )}
    </Panel>
  );
}
