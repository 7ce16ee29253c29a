/** The four answers to a step or a completion, and the ratings that they stand for. */
export type Answer = "great" | "okay" | "bad" | "unsure";

export const ANSWERS: readonly Answer[] = ["great", "okay", "bad", "unsure"];

export const RATINGS = { great: 1, okay: 0, bad: -1, unsure: null } as const;

export function answerOf(rating: number | null, isFlagged: boolean): Answer | null {
  if (rating === null) return isFlagged ? "unsure" : null;
  return rating > 0 ? "great" : rating < 0 ? "bad" : "okay";
}
