import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client } from "@/api/client";
import { readAgain, reading } from "@/api/reading";
import type { Question } from "@/api/types";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { progressQuery } from "@/shared/session/phases";
import { TimeIn } from "@/shared/words/Time";
import { ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { reopenAddress } from "../useReopened";
import classes from "./questions.module.css";

/** The annotator's questions about a task of theirs, newest first. */
export function taskQuestionsQuery(id: string) {
  return reading("/api/assignments/{id}/questions/", { path: { id } });
}

/** One's last questions in a phase, with their answers. */
export default function AnswersDialog({ phase, onClose }: { phase: string; onClose: () => void }) {
  const questions = useQuery({
    ...reading("/api/phases/{phase_id}/questions/", { path: { phase_id: phase } }),
    staleTime: 0,
  });
  return (
    <Dialog shape="wide" title="Your questions" onClose={onClose}>
      <Loaded query={questions}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="dim">You have not asked anything in this phase.</p>
          ) : (
            <QuestionList phase={phase} questions={rows} hasTask />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface Props {
  phase: string;
  questions: Question[];
  /** True to show the problem that each question is about, too. */
  hasTask?: boolean;
}

/** Questions with their answers. What is shown counts as read. */
export function QuestionList({ phase, questions, hasTask = false }: Props) {
  useRead(phase, questions);
  return (
    <ol className={classes.list}>
      {questions.map((each) => (
        <li key={each.id}>
          {hasTask && <MathText text={each.statement} markup={each.statement_markup} isClipped />}
          <p className={classes.who}>
            <TimeIn at={each.created_at}>{(when) => `You asked, ${when}`}</TimeIn>
          </p>
          <MathText text={each.question} isProse />
          <Answer question={each} />
          {hasTask && each.assignment && (
            <ButtonLink size="small" look="plain" href={reopenAddress(phase, each.assignment)}>
              Revise your labelling
            </ButtonLink>
          )}
        </li>
      ))}
    </ol>
  );
}

function Answer({ question: { answer, closed_at } }: { question: Question }) {
  if (answer === "")
    return <p className={classes.who}>{closed_at === null ? "Not answered yet." : "Closed without an answer."}</p>;
  return (
    <div className={classes.answer}>
      <p className={classes.who}>
        <TimeIn at={closed_at}>{(when) => `Answer, ${when}`}</TimeIn>
      </p>
      <MathText text={answer} isProse />
    </div>
  );
}

function useRead(phase: string, questions: Question[]): void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) =>
      client.POST("/api/phases/{phase_id}/questions/read/", {
        params: { path: { phase_id: phase } },
        body: { questions: ids },
      }),
    onSuccess: () => readAgain(queries, progressQuery(phase)),
  });
  const fresh = questions.filter(({ answer, read_at }) => answer !== "" && read_at === null).map(({ id }) => id);
  const told = fresh.join(" ");
  useEffect(() => {
    if (told !== "") mutate(told.split(" "));
  }, [told, mutate]);
}
