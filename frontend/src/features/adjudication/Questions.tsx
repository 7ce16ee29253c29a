import { Box, Button, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { TaskCase } from "@/api/types";
import { when } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { Time } from "@/shared/Time";
import classes from "./adjudication.module.css";
import { says } from "./strings";

type Question = TaskCase["reports"][number];

/** What annotators ask about the task, and the answers, each for whoever asked. */
export function Questions({ task }: { task: TaskCase }) {
  const questions = task.reports.filter(({ kind }) => kind === "question");
  if (questions.length === 0) return null;
  return (
    <Box mt="md" mb="md">
      <Panel title={says.questions.title}>
        {questions.map((question) => (
          <Stack key={question.id} component="article" gap="xs" mb="sm">
            <Text size="sm" c="dimmed">
              <bdi>{question.annotator ?? says.somebody}</bdi>, <Time at={question.created_at} />
            </Text>
            <MathText text={question.note} isProse />
            {question.resolved_at === null ? <AnswerForm question={question} /> : <Answer question={question} />}
          </Stack>
        ))}
      </Panel>
    </Box>
  );
}

function Answer({ question: { resolution, resolved_at } }: { question: Question }) {
  return (
    <>
      <Text size="sm" c="dimmed" mt="xs">
        {resolution ? says.questions.answered(when(resolved_at ?? null)) : says.questions.closed}
      </Text>
      {resolution && <MathText text={resolution} isProse />}
    </>
  );
}

function AnswerForm({ question: { id } }: { question: Question }) {
  const [text, setText] = useState("");
  const act = useAct(() => client.POST("/api/questions/{id}/answer/", { params: { path: { id } }, body: { text } }));
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <Textarea
        label={says.questions.answer}
        description={says.questions.answerHint}
        autosize
        minRows={2}
        required
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {act.error && <Problem error={act.error} />}
      <div>
        <Button type="submit" disabled={text.trim() === ""} loading={act.isPending}>
          {says.questions.send}
        </Button>
      </div>
    </form>
  );
}
