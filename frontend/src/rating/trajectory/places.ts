import type { RatingWord } from "@/shared/words/ratings";

/**
 * A place is a step with all that is to be answered there: completions, critiques, how far the solution had got. In phase
 * kind `solutions` its first completion is the solution's own step.
 */
export type Progress = "none" | "some" | "most" | "almost";
export type OfferKind = "completions" | "critiques";

/** One thing to answer. `index` counts within its kind. */
export interface Part {
  kind: OfferKind | "progress";
  index: number;
}
export type Answer = RatingWord | Progress | null;

/** A statement about the error of a Bad step. `kind`: a key of the phase's list, "" for none yet. */
export interface Mistake {
  kind: string;
  /** The start and end of the wrong words, in characters of the text. */
  span: readonly [start: number, end: number] | null;
  rootCause: number | null;
}

export interface Candidate {
  text: string;
  statesAnswer: boolean;
  answer: RatingWord | null;
  note: string;
  activeMs: number;
  /** Counts only while the answer is Bad, and comes back with that answer. */
  mistake: Mistake;
}

export interface Place {
  offered: readonly Candidate[];
  /** The annotator's own step: Great by its nature. */
  own: Candidate | null;
  /** The own step while it is being written. */
  writing: { text: string; activeMs: number } | null;
  /** The text with which the solution goes on. */
  chosen: string | null;
  /** The places that follow other choices than this one, and come back with them. */
  others: ReadonlyMap<string, readonly Place[]>;
  critiques: readonly Candidate[];
  ownCritique: string;
  progress: Progress | null;
  /** Offers that have come, or failed to. */
  settled: readonly OfferKind[];
  /** The kinds of offer that the annotator would not wait for. */
  skipped: readonly OfferKind[];
}

export const NO_MISTAKE: Mistake = { kind: "", span: null, rootCause: null };
export const EMPTY: Place = {
  offered: [],
  own: null,
  writing: null,
  chosen: null,
  others: new Map(),
  critiques: [],
  ownCritique: "",
  progress: null,
  settled: [],
  skipped: [],
};
export const FIRST: Part = { kind: "completions", index: 0 };
/** The progress that each rating's key stands for. */
export const PROGRESS_OF: Record<RatingWord, Progress> = { great: "none", okay: "some", bad: "most", unsure: "almost" };

export function unrated(text: string, statesAnswer = false): Candidate {
  return { text, statesAnswer, answer: null, note: "", activeMs: 0, mistake: NO_MISTAKE };
}

export function isSame(one: Part, other: Part): boolean {
  return one.kind === other.kind && one.index === other.index;
}

export function completionsOf({ offered, own }: Place): readonly Candidate[] {
  return own === null ? offered : [...offered, own];
}

export function candidateAt(place: Place, { kind, index }: Part): Candidate | undefined {
  if (kind === "progress") return undefined;
  return kind === "critiques" ? place.critiques[index] : completionsOf(place)[index];
}

export function answerAt(place: Place, part: Part): Answer {
  return part.kind === "progress" ? place.progress : (candidateAt(place, part)?.answer ?? null);
}

export function withCandidate(place: Place, { kind, index }: Part, change: Partial<Candidate>): Place {
  const changed = (all: readonly Candidate[]) =>
    all.map((candidate, at) => (at === index ? { ...candidate, ...change } : candidate));
  if (kind === "progress") return place;
  if (kind === "critiques") return { ...place, critiques: changed(place.critiques) };
  if (index === place.offered.length && place.own) return { ...place, own: { ...place.own, ...change } };
  return { ...place, offered: changed(place.offered) };
}

export function withAnswer(place: Place, part: Part, answer: Answer): Place {
  if (part.kind === "progress") return { ...place, progress: answer as Progress | null };
  return withCandidate(place, part, { answer: answer as RatingWord | null });
}

export function chosenIndex(place: Place): number | null {
  const index = completionsOf(place).findIndex(({ text, answer }) => text === place.chosen && answer === "great");
  return index < 0 ? null : index;
}

/** Replaces a choice that is no longer Great by the own step, or by the first Great one. */
export function withChoice(place: Place): Place {
  if (chosenIndex(place) !== null) return place;
  return { ...place, chosen: (place.own ?? place.offered.find(({ answer }) => answer === "great"))?.text ?? null };
}

export function isRated({ offered }: Place): boolean {
  return offered.every(({ answer }) => answer !== null);
}

/** True if everything is rated, and there is something to go on with. */
export function isSettled(place: Place): boolean {
  return isRated(place) && chosenIndex(place) !== null;
}

/** True if everything is rated, and there is nothing to go on with. */
export function isStuck(place: Place): boolean {
  return isRated(place) && chosenIndex(place) === null;
}

export function isUntouched({ own, offered }: Place): boolean {
  return own === null && offered.every(({ answer }) => answer === null);
}

/** Returns the completion to focus on arrival: the first one without a rating, or the choice. */
export function firstOpen(place: Place): number {
  const open = place.offered.findIndex(({ answer }) => answer === null);
  return open < 0 ? (chosenIndex(place) ?? 0) : open;
}

/** Returns the next unrated completion, wrapping around; `after` if all are rated, so that what is being read stays. */
export function nextOpen(place: Place, after: number): number {
  const open = place.offered.findIndex(({ answer }, index) => index > after && answer === null);
  if (open >= 0) return open;
  return isRated(place) ? after : firstOpen(place);
}
