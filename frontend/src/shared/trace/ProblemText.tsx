import { Group } from "@mantine/core";
import type { Markup, Part } from "@/api/types";
import { Asked } from "./Asked";
import { AnswerText } from "@/shared/text/AnswerText";
import { MarkupOfTexts, MathText } from "@/shared/text/MathText";
import { Dim } from "@/shared/page/Panel";

interface Props {
  of: string;
  /** The conversation before the first step, for a trace. */
  conversation?: readonly Part[] | null | undefined;
  markup: Markup;
  answer: string;
  solution?: string;
}

/** A problem, with the answer and the solution on file. */
export function ProblemText({ of, conversation, markup, answer, solution }: Props) {
  return (
    <MarkupOfTexts value={markup}>
      <Asked statement={of} conversation={conversation} />
      {answer && (
        <Group gap="xs" mt="sm">
          <Dim>Reference answer</Dim>
          <AnswerText text={answer} />
        </Group>
      )}
      {solution && (
        <details style={{ marginTop: "0.8rem" }}>
          <summary>Reference solution</summary>
          <MathText text={solution} />
        </details>
      )}
    </MarkupOfTexts>
  );
}
