import type { Draft } from "@/api/types";
import type { RatingWord } from "@/shared/ratings";

/**
 * One labelling of kind `alternatives`: a tree of places, each reached by the texts that were chosen on the way. Places
 * behind a choice that was changed stay in the tree, and come back with it.
 */
export type Path = readonly string[];

export interface Candidate {
  text: string;
  statesAnswer: boolean;
  answer: RatingWord | null;
  note: string;
  activeMs: number;
}

export interface Place {
  offered: Candidate[];
  /** The annotator's own step: Great by its nature. */
  own: Candidate | null;
  /** The own step while it is being written. */
  writing: { text: string; activeMs: number } | null;
  /** The text that goes on. */
  chosen: string | null;
}

/** What stood before, so that undo can bring it back. */
export interface Change {
  at: number;
  index: number;
  before: Pick<Place, "own" | "chosen"> & { answer: RatingWord | null };
}

export interface Trajectory {
  /** By the path that leads there, see `keyOf`. */
  places: Record<string, Place>;
  /** The step on the screen. */
  at: number;
  /** The completion that keys go to. */
  focus: number;
  history: NonNullable<Draft["history"]>;
  /** What undo takes back. Not part of the draft. */
  changes: Change[];
  activeMs: number;
  /** Changes with everything but time: whether a draft is due. */
  edition: number;
}

export interface Stop {
  path: Path;
  place: Place;
}

export const EMPTY: Place = { offered: [], own: null, writing: null, chosen: null };

export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

export function candidatesOf({ offered, own }: Place): Candidate[] {
  return own === null ? offered : [...offered, own];
}

export function chosenIndex(place: Place): number | null {
  const index = candidatesOf(place).findIndex(({ text, answer }) => text === place.chosen && answer === "great");
  return index < 0 ? null : index;
}

export function isRated({ offered }: Place): boolean {
  return offered.every(({ answer }) => answer !== null);
}

/** Everything rated, and something to go on with. */
export function isSettled(place: Place): boolean {
  return isRated(place) && chosenIndex(place) !== null;
}

/** Everything rated, and nothing to go on with. */
export function isStuck(place: Place): boolean {
  return isRated(place) && chosenIndex(place) === null;
}

/** The places on the way, from the first to the last that was reached by the present choices. */
export function stopsOf({ places }: Pick<Trajectory, "places">): Stop[] {
  const stops: Stop[] = [];
  let path: Path = [];
  for (let place = places[keyOf(path)]; place !== undefined; place = places[keyOf(path)]) {
    stops.push({ path, place });
    if (!isSettled(place) || place.chosen === null) break;
    path = [...path, place.chosen];
  }
  return stops;
}

/** The texts that lead to the step on the screen. */
export function pathOf(trajectory: Trajectory): Path {
  return stopsOf(trajectory)
    .slice(0, trajectory.at)
    .map(({ place }) => place.chosen ?? "");
}

/** The place on the screen, or null while nothing is there yet. */
export function placeOf(trajectory: Trajectory): Place | null {
  return trajectory.places[keyOf(pathOf(trajectory))] ?? null;
}

function isUntouched(place: Place): boolean {
  return place.own === null && place.offered.every(({ answer }) => answer === null);
}

/** `solution` where the step on the screen ends it: its choice states an answer, and nothing after it was rated. */
export function finishReason(trajectory: Trajectory): "solution" | null {
  const [stop, ...later] = stopsOf(trajectory).slice(trajectory.at);
  if (stop === undefined || !isSettled(stop.place)) return null;
  const chosen = candidatesOf(stop.place)[chosenIndex(stop.place) ?? 0];
  return chosen?.statesAnswer && later.every(({ place }) => isUntouched(place)) ? "solution" : null;
}

/** The path that will most probably come next, to fetch its completions ahead. Null where the solution would end. */
export function likelyPath(trajectory: Trajectory): Path | null {
  const place = placeOf(trajectory);
  const likely = place && candidatesOf(place)[chosenIndex(place) ?? 0];
  return likely && !likely.statesAnswer ? [...pathOf(trajectory), likely.text] : null;
}

/** Where the keys go on arrival: the first without a rating, or the choice. */
export function firstOpen(place: Place): number {
  const open = place.offered.findIndex(({ answer }) => answer === null);
  return open < 0 ? (chosenIndex(place) ?? 0) : open;
}
