import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client } from "@/api/client";
import type { Question } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { progressQuery } from "@/shared/phases";
import { ButtonLink } from "@/shared/ui/Button";
import { TimeIn } from "@/shared/Time";
import { reopenAddress } from "../useReopened";
import classes from "./questions.module.css";
import { says } from "./strings";

interface Props {
  phase: string;
  questions: Question[];
  /** Says what each is about, too. */
  hasTask?: boolean;
}

/** Questions with their answers. What is shown counts as read. */
export function QuestionList({ phase, questions, hasTask = false }: Props) {
  useRead(phase, questions);
  return (
    <ol className={classes.list}>
      {questions.map((each) => (
        <li key={each.id}>
          {hasTask && <MathText text={each.statement} isClipped />}
          <p className={classes.who}>
            <TimeIn at={each.created_at}>{says.asked}</TimeIn>
          </p>
          <MathText text={each.question} isProse />
          <Answer question={each} />
          {hasTask && each.assignment && (
            <ButtonLink size="small" look="plain" href={reopenAddress(phase, each.assignment)}>
              {says.revise}
            </ButtonLink>
          )}
        </li>
      ))}
    </ol>
  );
}

function Answer({ question: { answer, closed_at } }: { question: Question }) {
  if (answer === "") return <p className={classes.who}>{closed_at === null ? says.waits : says.closed}</p>;
  return (
    <div className={classes.answer}>
      <p className={classes.who}>
        <TimeIn at={closed_at}>{says.answered}</TimeIn>
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
    onSuccess: () => queries.invalidateQueries({ queryKey: progressQuery(phase).queryKey }),
  });
  const fresh = questions.filter(({ answer, read_at }) => answer !== "" && read_at === null).map(({ id }) => id);
  const told = fresh.join(" ");
  useEffect(() => {
    if (told !== "") mutate(told.split(" "));
  }, [told, mutate]);
}
