import type { ErrorKind } from "@/api/types";
import { causeOf } from "./MistakeSaid";
import { nameOfKind, wordsAt } from "./mistakes";

interface Props {
  /** The phase's list. */
  kinds: readonly ErrorKind[];
  text: string;
  said: {
    error_kind?: string;
    error_start?: number | null;
    error_end?: number | null;
    root_cause?: number | null;
  };
}

/** A person's statement about a Bad step: its kind, its words, the earlier step to blame. */
export function MistakeLine({ kinds, text, said }: Props) {
  const { error_kind: kind = "", error_start: start = null, error_end: end = null, root_cause: cause = null } = said;
  const parts = [
    kind !== "" && nameOfKind(kinds, kind),
    start !== null && end !== null && `“${wordsAt(text, [start, end])}”`,
    causeOf(cause),
  ].filter(Boolean);
  return parts.length > 0 && <bdi>{parts.join(" · ")}</bdi>;
}
