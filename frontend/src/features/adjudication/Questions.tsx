import { Box, Stack, Textarea } from "@mantine/core";
import { client } from "@/api/client";
import type { TaskCase } from "@/api/types";
import { Form } from "@/shared/Form";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Quiet } from "@/shared/Quiet";
import { Submit } from "@/shared/Submit";
import { Time, TimeIn } from "@/shared/Time";
import { useForm } from "@/shared/useForm";

/** What annotators ask about the task, and the answers, each for whoever asked. */
export function Questions({ task }: { task: TaskCase }) {
  const questions = task.reports.filter(({ kind }) => kind === "question");
  if (questions.length === 0) return null;
  return (
    <Box my="md">
      <Panel title="Questions">
        {questions.map(({ id, annotator, created_at, note, resolved_at, resolution }) => (
          <Stack key={id} component="article" gap="xs" mb="sm">
            <Quiet>
              <bdi>{annotator ?? "Somebody"}</bdi>, <Time at={created_at} />
            </Quiet>
            <MathText text={note} isProse />
            {resolved_at === null ? (
              <AnswerForm id={id} />
            ) : resolution ? (
              <>
                <Quiet mt="xs">
                  <TimeIn at={resolved_at}>{(time) => `Answered: ${time}`}</TimeIn>
                </Quiet>
                <MathText text={resolution} isProse />
              </>
            ) : (
              <Quiet mt="xs">Closed without an answer.</Quiet>
            )}
          </Stack>
        ))}
      </Panel>
    </Box>
  );
}

function AnswerForm({ id }: { id: string }) {
  const { form, values, text } = useForm({ text: "" }, (body) =>
    client.POST("/api/questions/{id}/answer/", { params: { path: { id } }, body }),
  );
  return (
    <Form {...form}>
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
