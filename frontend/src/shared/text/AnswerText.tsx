import { MathText } from "./MathText";

export function AnswerText({ text }: { text: string }) {
  return <MathText text={text} isAnswer />;
}
