import { Group } from "@mantine/core";
import type { Markup } from "@/api/types";
import { AnswerText } from "./AnswerText";
import { MarkupOfTexts, MathText } from "./MathText";
import { Dim } from "@/shared/page/Panel";

interface Props {
  of: string;
  markup: Markup;
  answer: string;
  solution?: string;
}

/** A problem, with the answer and the solution on file. */
export function ProblemText({ of, markup, answer, solution }: Props) {
  return (
    <MarkupOfTexts value={markup}>
      <MathText text={of} />
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
