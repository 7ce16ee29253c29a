import { MathText } from "./MathText";

/** A final answer often is LaTeX without delimiters, `\frac{5}{6}`: draws it as the formula it is. */
export function withDelimiters(answer: string): string {
  const isBareMath = /\\[A-Za-z]|[\^_]/.test(answer) && !/\$|\\[([]|\n/.test(answer);
  return isBareMath ? `\\(${answer}\\)` : answer;
}

export function AnswerText({ text }: { text: string }) {
  return <MathText text={withDelimiters(text)} />;
}
