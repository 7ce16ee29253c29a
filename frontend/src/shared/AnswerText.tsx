import { MathText } from "./MathText";
import { withDelimiters } from "./mathSegments";

export function AnswerText({ text }: { text: string }) {
  return <MathText text={withDelimiters(text)} />;
}
