import { createContext, useContext } from "react";
import type { Assignment } from "@/api/types";
import type { RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";

type Phase = Assignment["phase"];
type Meanings = Record<RatingWord, string>;

const { guide } = strings.label;
export const MeaningsOfRatings = createContext<Meanings>(guide);

/** Returns the ratings' meanings from the context. */
export const useMeanings = (): Meanings => useContext(MeaningsOfRatings);

/** The consequence of a Bad step for those after it. */
function afterBad({ kind, rates_all_steps: ratesAll, carries_errors: carries }: Partial<Phase>): string {
  if (kind === "alternatives") return "";
  if (!ratesAll) return " The first Bad step ends the labelling.";
  return carries
    ? " A step that builds on an earlier mistake is Bad, too."
    : " Each step is judged on its own, whatever came before.";
}

/** Returns the ratings' meanings in a phase; the usual ones for a task kept by an older version, which has none. */
export function meaningsOf(phase: Partial<Phase>): Meanings {
  const { meanings } = phase;
  return meanings ? { ...guide, ...meanings, bad: `${meanings.bad}${afterBad(phase)}` } : guide;
}
