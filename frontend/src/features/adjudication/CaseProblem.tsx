import { useEffect, useRef } from "react";
import { Box, Stack, Textarea } from "@mantine/core";
import { client } from "@/api/client";
import type { ReportKind, TaskCase } from "@/api/types";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import { afterPaint } from "@/shared/page/afterPaint";
import { AnswerText } from "@/shared/text/AnswerText";
import { Form } from "@/shared/forms/Form";
import { Notice } from "@/shared/page/Loaded";
import { Asked } from "@/shared/trace/Asked";
import { MathText } from "@/shared/text/MathText";
import { Panel, Dim } from "@/shared/page/Panel";
import { gradedBy, VERDICTS } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { endOf } from "@/shared/words/waysOut";
import { Submit } from "@/shared/forms/Submit";
import { Time, TimeIn } from "@/shared/words/Time";
import { useForm } from "@/shared/forms/useForm";
import classes from "./adjudication.module.css";
import { whoOf } from "./ruling";

/** The subject of the case: the problem, its answers, and what was reported. */
export function CaseProblem({ task }: { task: TaskCase }) {
  const { problem, solution } = task;
  const answerOf = (text: string) => (text ? <AnswerText text={text} /> : "none");
  return (
    <Panel>
      <Reports task={task} />
      <Dim mb="xs">
        <bdi>{task.phase_name}</bdi>,{" "}
        {`${strings.phases.round(task.round_number)} · Version ${problem.version} of the problem`}
      </Dim>
      {problem.replaced_by && <Notice tone="unsure">A newer version has replaced this problem.</Notice>}
      <Asked statement={problem.statement} markup={problem.markup} conversation={problem.conversation} />
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
            {VERDICTS[solution.verdict]}
            <Dim>{gradedBy(solution.grader_version)}</Dim>
          </dd>
        </div>
      </dl>
      {problem.reference_solution && (
        <details style={{ marginTop: "0.8rem" }}>
          <summary>Reference solution</summary>
          <MathText text={problem.reference_solution} markup={problem.markup} />
        </details>
      )}
    </Panel>
  );
}

const REPORTED = {
  reference_answer: "says that the reference answer looks wrong",
  gold: "says that the experts’ labels look wrong",
  steps: "says that a step is cut wrongly",
} satisfies Record<Exclude<ReportKind, "question">, string>;

/** Says how a step should be cut, according to a report. */
function cutOf({ step, place }: TaskCase["reports"][number], steps: readonly string[]): string {
  if (step === null) return REPORTED.steps;
  if (place === null) return `says that steps ${step + 1} and ${step + 2} are one`;
  const rest = Array.from(steps[step] ?? "").slice(place);
  const shown = `${rest.slice(0, 60).join("").trim()}${rest.length > 60 ? "…" : ""}`;
  return `says that step ${step + 1} should be cut before “${shown}”`;
}

/** The reports and notes on the task, shown first. */
function Reports({ task }: { task: TaskCase }) {
  const reports = task.reports.flatMap((report) => {
    const { id, annotator, kind, created_at, note } = report;
    if (kind === "question") return [];
    const what = kind === "steps" ? cutOf(report, task.solution.steps) : REPORTED[kind];
    return [{ id, note, who: annotator ?? "Somebody", what, at: created_at }];
  });
  const endings = task.labellings
    .map(({ id, finish_note, finish_reason, submitted_at }, index) => ({
      ...{ id, note: finish_note, who: whoOf(task, index), at: submitted_at },
      what: endOf(finish_reason),
    }))
    .filter(({ note }) => note);
  const all = [...reports, ...endings];
  if (all.length === 0) return null;
  return (
    <ul className={classes.reports} data-rating="unsure">
      {all.map(({ id, who, what, at, note }) => (
        <li key={id}>
          <Dim>
            <bdi>{who}</bdi>, <Time at={at} /> · {what}
          </Dim>
          {note && <bdi className={classes.note}>{note}</bdi>}
        </li>
      ))}
    </ul>
  );
}

interface QuestionsProps {
  task: TaskCase;
  /** The first one that waits for its answer has the keyboard. */
  isFirst: boolean;
}

/** The annotators' questions about the task, and the answers, each for whoever asked. */
export function Questions({ task, isFirst }: QuestionsProps) {
  const questions = task.reports.filter(({ kind }) => kind === "question");
  const open = questions.find(({ resolved_at }) => resolved_at === null);
  if (questions.length === 0) return null;
  return (
    <Box my="md">
      <Panel title="Questions">
        {questions.map(({ id, annotator, created_at, note, resolved_at, resolution }) => (
          <Stack key={id} component="article" gap="xs" mb="sm">
            <Dim>
              <bdi>{annotator ?? "Somebody"}</bdi>, <Time at={created_at} />
            </Dim>
            <MathText text={note} isProse />
            {resolved_at === null ? (
              <AnswerForm id={id} hasKeyboard={isFirst && id === open?.id} />
            ) : resolution ? (
              <>
                <Dim mt="xs">
                  <TimeIn at={resolved_at}>{(time) => `Answered: ${time}`}</TimeIn>
                </Dim>
                <MathText text={resolution} isProse />
              </>
            ) : (
              <Dim mt="xs">Closed without an answer.</Dim>
            )}
          </Stack>
        ))}
      </Panel>
    </Box>
  );
}

function AnswerForm({ id, hasKeyboard }: { id: string; hasKeyboard: boolean }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { form, values, text } = useForm({ text: "" }, (body) =>
    client.POST("/api/questions/{id}/answer/", { params: { path: { id } }, body }),
  );
  // After the paint, because the step in focus takes the keyboard first.
  useEffect(() => (hasKeyboard ? afterPaint(() => box.current?.focus()) : undefined), [hasKeyboard]);
  return (
    <Form {...form}>
      <Textarea
        ref={box}
        label="Answer"
        description="Markdown and LaTeX. Only the person who asked sees it. Do not mention gold, scores or other people’s labels. Ctrl+Enter sends, Escape leaves."
        autosize
        minRows={2}
        required
        maxLength={10_000}
        {...text("text")}
        onKeyDown={(event) => saveOrLeave(event, () => box.current?.form?.requestSubmit())}
      />
      <div>
        <Submit disabled={values.text.trim() === ""}>Send the answer</Submit>
      </div>
    </Form>
  );
}
