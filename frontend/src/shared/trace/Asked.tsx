import type { Markup, Part } from "@/api/types";
import { lazily } from "@/shared/page/Contained";
import { MathText } from "@/shared/text/MathText";
import { BEFORE } from "./rest";

const Parts = lazily<{ parts: readonly Part[]; step: number }>(() => import("./Parts"));

interface Props {
  statement: string;
  markup?: Markup;
  conversation?: readonly Part[] | null | undefined;
}

/** A problem's statement, or what was said before the first step of a trace. */
export function Asked({ statement, markup, conversation }: Props) {
  return conversation ? <Parts parts={conversation} step={BEFORE} /> : <MathText text={statement} markup={markup} />;
}
