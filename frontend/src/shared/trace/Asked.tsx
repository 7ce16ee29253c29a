import type { Markup, Part } from "@/api/types";
import { MathText } from "@/shared/text/MathText";
import { BEFORE } from "./rest";
import { PartsShown } from "./StepShown";

interface Props {
  statement: string;
  markup?: Markup;
  conversation?: readonly Part[] | null | undefined;
}

/** A problem's statement, or what was said before the first step of a trace. */
export function Asked({ statement, markup, conversation }: Props) {
  return conversation ? (
    <PartsShown parts={conversation} step={BEFORE} />
  ) : (
    <MathText text={statement} markup={markup} />
  );
}
