import { Box, Stack, Text, Textarea } from "@mantine/core";
import { client } from "@/api/client";
import type { TaskCase } from "@/api/types";
import { Form } from "@/shared/Form";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Submit } from "@/shared/Submit";
import { Time, TimeIn } from "@/shared/Time";
import { useForm } from "@/shared/useForm";
import classes from "./adjudication.module.css";
import { says } from "./strings";

type Question = TaskCase["reports"][number];

/** What annotators ask about the task, and the answers, each for whoever asked. */
export function Questions({ task }: { task: TaskCase }) {
  const questions = task.reports.filter(({ kind }) => kind === "question");
  if (questions.length === 0) return null;
  return (
    <Box mt="md" mb="md">
      <Panel title="Questions">
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
        {resolution ? <TimeIn at={resolved_at}>{says.questions.answered}</TimeIn> : "Closed without an answer."}
      </Text>
      {resolution && <MathText text={resolution} isProse />}
    </>
  );
}

function AnswerForm({ question: { id } }: { question: Question }) {
  const { form, values, text } = useForm({ text: "" }, (body) =>
    client.POST("/api/questions/{id}/answer/", { params: { path: { id } }, body }),
  );
  return (
    <Form {...form} className={classes.form}>
      <Textarea
        label="Answer"
        description="Markdown and LaTeX. Only the person who asked sees it. Do not mention gold, scores or other people’s labels."
        autosize
        minRows={2}
        required
        maxLength={10_000}
        {...text("text")}
      />
      <div>
        <Submit disabled={values.text.trim() === ""}>Send the answer</Submit>
      </div>
    </Form>
  );
}
