import type { Markup, Part, Turn } from "@/api/types";
import { lazily } from "@/shared/page/Contained";
import { MathText } from "@/shared/text/MathText";

export const PartsShown = lazily<{ parts: readonly Part[]; step: number }>(() => import("./Parts"));

interface Props {
  text: string;
  /** The step's parts, of which the text was made, for a trace. */
  turn: Turn | undefined;
  step: number;
  markup?: Markup;
}

/** A step to be read. */
export function StepShown({ text, turn, step, markup }: Props) {
  if (!turn) return <MathText text={text} markup={markup} />;
  return (
    <>
      {turn.agent && (
        <div className="small dim">
          <bdi>{turn.agent}</bdi>
        </div>
      )}
      <PartsShown parts={turn.parts} step={step} />
    </>
  );
}
