import { Group } from "@mantine/core";
import { AnswerText } from "./AnswerText";
import { MathText } from "./MathText";
import { Dim } from "./Panel";

/** A problem, with the answer and the solution on file. */
export function ProblemText({ of, answer, solution }: { of: string; answer: string; solution?: string }) {
  return (
    <>
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
    </>
  );
}
