import type { Draft } from "@/api/types";
import type { Complete } from "@/shared/words/waysOut";
import { wordsOf } from "@/shared/words/words";
import {
  answerAt,
  chosenIndex,
  completionsOf,
  EMPTY,
  FIRST,
  isSame,
  isSettled,
  isUntouched,
  type Answer,
  type Mistake,
  type OfferKind,
  type Part,
  type Place,
} from "./places";

/**
 * One labelling: the places on the way and what is in focus. In phase kind `solutions` the places are given, with one
 * completion each, and the first Bad ends it; in `alternatives` a choice leads from one to the next.
 */
export interface Trajectory {
  kind: "solutions" | "alternatives";
  asked: Asked;
  places: readonly Place[];
  /** The step in focus; `focus`: the part of it that the keys answer. */
  at: number;
  focus: Part;
  history: NonNullable<Draft["history"]>;
  /** The changes that undo takes back. Not part of the draft: a reload starts them afresh. */
  changes: readonly Change[];
  activeMs: number;
  /** The step that the annotator has marked as the end, in phases that finish by hand. */
  endsAt: number | null;
  /** Changes with everything but time and focus, and so whenever a draft is due. */
  edition: number;
}

/** The phase's questions beside the first Bad step of a solution; and more of its protocol. */
export type Asked = Record<Part["kind"], boolean> & {
  /** Why a step is unsure. */
  whyUnsure?: boolean;
  /** Every step is rated: a Bad one ends nothing. */
  allSteps?: boolean;
  /** The kind of error of each Bad step of a solution, or of each Bad completion. */
  errorKind?: boolean;
  /** The annotator says when a trajectory is finished. */
  byHand?: boolean;
};

/** A part of a step, as a place for an answer. */
export interface Spot {
  step: number;
  part: Part;
}

/** A change, with what stood before, so that undo can bring it back. */
export interface Change extends Spot {
  before: Pick<Place, "own" | "chosen"> & { answer: Answer; mistake?: Mistake | undefined };
}

export const NOTHING_ASKED: Asked = { completions: false, critiques: false, progress: false };

/** Returns the place of a step, by default of the one in focus. */
export function placeOf({ places, at }: Trajectory, step = at): Place {
  return places[step] ?? EMPTY;
}

/** The rating of a step of a solution. */
export function ratingOf(trajectory: Trajectory, step: number) {
  return placeOf(trajectory, step).offered[0]?.answer ?? null;
}

function goesOn(trajectory: Trajectory, step: number): boolean {
  if (trajectory.kind === "alternatives") return isSettled(placeOf(trajectory, step));
  const answer = ratingOf(trajectory, step);
  return answer !== null && (answer !== "bad" || trajectory.asked.allSteps === true);
}

/** The last step that may be rated now: the first that does not go on, or else the last. */
export function frontier(trajectory: Trajectory): number {
  const end = trajectory.places.findIndex((_, step) => !goesOn(trajectory, step));
  return end < 0 ? Math.max(trajectory.places.length - 1, 0) : end;
}

/** The places that were reached by the present choices. */
export function wayOf(trajectory: Trajectory): readonly Place[] {
  return trajectory.places.slice(0, frontier(trajectory) + 1);
}

/** The texts that lead to the step in focus. */
export function pathOf({ places, at }: Trajectory): string[] {
  return places.slice(0, at).map(({ chosen }) => chosen ?? "");
}

/** The first Bad step of a solution, which ends it unless all steps are rated. */
export function firstBad(trajectory: Trajectory): number | null {
  if (trajectory.kind !== "solutions") return null;
  const bad = trajectory.places
    .slice(0, frontier(trajectory) + 1)
    .findIndex(({ offered: [own] }) => own?.answer === "bad");
  return bad < 0 ? null : bad;
}

/** Returns the first Bad step (in `alternatives`, Bad completion) whose kind of error is still to be said. */
export function nameless(trajectory: Trajectory): Spot | null {
  if (!trajectory.asked.errorKind) return null;
  const last = trajectory.kind === "solutions" ? 1 : undefined;
  const indexes = wayOf(trajectory).map(({ offered }) =>
    offered.slice(0, last).findIndex(({ answer, mistake }) => answer === "bad" && mistake.kind === ""),
  );
  const step = indexes.findIndex((index) => index >= 0);
  return step < 0 ? null : { step, part: { kind: "completions", index: indexes[step] ?? 0 } };
}

export function isInFocus({ at, focus }: Trajectory, { step, part }: Spot): boolean {
  return at === step && isSame(focus, part);
}

/** True unless the kind was skipped, or the annotator's own critique replaces the offered ones. */
function isNeeded(place: Place, kind: Part["kind"]): boolean {
  if (kind === "progress") return true;
  return !place.skipped.includes(kind) && !(kind === "critiques" && place.ownCritique.trim() !== "");
}

function numbered(kind: Part["kind"], from: number, to: number): Part[] {
  return Array.from({ length: to - from }, (_, index) => ({ kind, index: from + index }));
}

/** Returns a part for each candidate, and one for an offer still awaited, so that no key slips to the next part. */
function offeredParts(place: Place, kind: OfferKind): Part[] {
  const [from, to] = kind === "critiques" ? [0, place.critiques.length] : [1, place.offered.length];
  const isAwaited = from === to && isNeeded(place, kind) && !place.settled.includes(kind);
  return numbered(kind, from, to + Number(isAwaited));
}

function besideParts({ asked }: Trajectory, place: Place): Part[] {
  const kinds = (["completions", "critiques"] as const).filter((kind) => asked[kind]);
  const offered = kinds.flatMap((kind) => offeredParts(place, kind));
  return asked.progress ? [...offered, { kind: "progress", index: 0 }] : offered;
}

/** Returns a step's parts, in the order in which the keys go through them. */
export function partsOf(trajectory: Trajectory, step = trajectory.at): Part[] {
  const place = placeOf(trajectory, step);
  if (trajectory.kind === "alternatives") return numbered("completions", 0, completionsOf(place).length);
  return step === firstBad(trajectory) ? [FIRST, ...besideParts(trajectory, place)] : [FIRST];
}

/** Returns the next part that waits for an answer beside the first Bad step. */
export function openPart(trajectory: Trajectory): Part | null {
  const bad = firstBad(trajectory);
  if (bad === null) return null;
  const place = placeOf(trajectory, bad);
  const isOpen = (part: Part) => isNeeded(place, part.kind) && answerAt(place, part) === null;
  return besideParts(trajectory, place).find(isOpen) ?? null;
}

/** The first step that is unsure without a note on why, where the phase asks for one. */
export function unexplained(trajectory: Trajectory): number | null {
  if (!trajectory.asked.whyUnsure) return null;
  const step = wayOf(trajectory).findIndex(({ offered: [own] }) => own?.answer === "unsure" && own.note.trim() === "");
  return step < 0 ? null : step;
}

/** Returns the number of steps with an answer that counts: none after one that ends the labelling. */
export function answeredCount(trajectory: Trajectory): number {
  const end = frontier(trajectory);
  return ratingOf(trajectory, end) === null ? end : end + 1;
}

/** True if no step waits for its rating, whatever else is still asked for. */
export function isRated(trajectory: Trajectory): boolean {
  const isWhole = answeredCount(trajectory) === trajectory.places.length;
  return isWhole || (firstBad(trajectory) !== null && !trajectory.asked.allSteps);
}

/** Conditions under which nothing waits for an answer any more, by finish reason. */
const IS_FINISHED: Record<Complete, (trajectory: Trajectory) => boolean> = {
  found_error: (trajectory) => firstBad(trajectory) !== null && isRated(trajectory) && openPart(trajectory) === null,
  solution: (trajectory) =>
    trajectory.kind === "alternatives"
      ? isEnd(trajectory)
      : firstBad(trajectory) === null && answeredCount(trajectory) === trajectory.places.length,
};

/** Why the labelling is finished, or null while something waits for an answer. */
export function finishReason(trajectory: Trajectory): Complete | null {
  if (unexplained(trajectory) !== null || nameless(trajectory) !== null) return null;
  return wordsOf(IS_FINISHED).find((reason) => IS_FINISHED[reason](trajectory)) ?? null;
}

/** True if the choice in focus states an answer, or was marked as the end, and nothing after it was rated. */
function isEnd(trajectory: Trajectory): boolean {
  const [place, ...later] = wayOf(trajectory).slice(trajectory.at);
  if (place === undefined || !isSettled(place)) return false;
  const { asked, endsAt, at } = trajectory;
  const isLast = asked.byHand ? endsAt === at : completionsOf(place)[chosenIndex(place) ?? 0]?.statesAnswer;
  return Boolean(isLast) && later.every(isUntouched);
}

/** Returns the likely next path, to fetch its completions ahead; null if it is there already, or the solution ends. */
export function likelyPath(trajectory: Trajectory): string[] | null {
  const place = placeOf(trajectory);
  const chosen = chosenIndex(place);
  const likely = completionsOf(place)[chosen ?? 0];
  if (likely === undefined || (likely.statesAnswer && !trajectory.asked.byHand)) return null;
  if (chosen !== null && trajectory.places.length > trajectory.at + 1) return null;
  return [...pathOf(trajectory), likely.text];
}
