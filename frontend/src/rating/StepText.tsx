import { lazily } from "@/shared/Contained";
import { MathText } from "@/shared/MathText";
import type { Compared } from "./names";

interface Props {
  text: string;
  against: Compared;
}

const ComparedText = lazily<Props>(
  () => import("./compare/ComparedText"),
  ({ text }) => <MathText text={text} />,
);

/** A step to read; with `against`, what changed against that. */
export function StepText({ text, against }: { text: string; against: Compared | null }) {
  return against === null ? <MathText text={text} /> : <ComparedText text={text} against={against} />;
}
