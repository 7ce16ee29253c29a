import type { Draft, FinishReason, Submission } from "@/api/types";
import { RATINGS, ratingWord } from "@/shared/words/ratings";
import { statesAnswer } from "./finalAnswer";
import { chosenIndex, completionsOf, EMPTY, FIRST, firstOpen, NO_MISTAKE, unrated } from "./places";
import type { Candidate, Mistake, Place } from "./places";
import {
  answeredCount,
  firstBad,
  frontier,
  isRated,
  nameless,
  NOTHING_ASKED,
  openPart,
  placeOf,
  wayOf,
  type Asked,
  type Trajectory,
} from "./trajectory";

type Row = Draft["ratings"][number];
/** The statement about a Bad step; rows of an older version lack it. */
export type Said = Pick<Row, "error_kind" | "error_start" | "error_end" | "root_cause">;
type SavedRow = Omit<Row, keyof Said> & Partial<Said>;
type Saved = { ratings: SavedRow[] } & Partial<Pick<Draft, "history">> &
  Partial<Pick<Draft, "critiques" | "solution_progress">> & { active_ms?: number | null };

const PLAIN: Omit<Row, "step" | "text"> = {
  completion: 0,
  note: "",
  rating: null,
  is_flagged: false,
  is_chosen: false,
  is_human: false,
  active_ms: 0,
  ...{ error_kind: "", error_start: null, error_end: null, root_cause: null },
};

/** Returns a place's rows. In `solutions`, completion 0 is the solution's own step, whose text is not sent back. */
function rowsOf({ kind }: Trajectory, place: Place, step: number): Row[] {
  const isGiven = kind === "solutions";
  const chosen = isGiven ? 0 : chosenIndex(place);
  return completionsOf(place).map(({ text, answer, note, activeMs, mistake }, completion) => ({
    step,
    completion,
    text: isGiven && completion === 0 ? "" : text,
    note,
    rating: answer === null ? null : RATINGS[answer],
    is_flagged: answer === "unsure",
    is_chosen: completion === chosen,
    is_human: completion === place.offered.length,
    active_ms: Math.round(activeMs),
    ...saidOf(mistake),
  }));
}

function saidOf({ kind, span, rootCause }: Mistake): Said {
  return { error_kind: kind, error_start: span?.[0] ?? null, error_end: span?.[1] ?? null, root_cause: rootCause };
}

function mistakeFrom({ error_kind, error_start, error_end, root_cause }: Partial<Said>): Mistake {
  const span = error_start == null || error_end == null ? null : ([error_start, error_end] as const);
  return { kind: error_kind ?? "", span, rootCause: root_cause ?? null };
}

/** Returns a place's rows for a draft; an own step still being written is a human row without a rating. */
function draftRows(trajectory: Trajectory, place: Place, step: number): Row[] {
  const rows = rowsOf(trajectory, place, step);
  if (!place.writing?.text) return rows;
  const { text, activeMs } = place.writing;
  const row = { ...PLAIN, step, completion: rows.length, text, is_human: true, active_ms: Math.round(activeMs) };
  return [...rows, row];
}

/**
 * Returns the rows of the places on the way, then of those that follow other choices, each way behind the signpost rows
 * that lead to it. Every place begins with completion 0, so that `treeFrom` can read the list back.
 */
function allRows(trajectory: Trajectory, places: readonly Place[], path: readonly string[] = []): Row[] {
  const rows = places.flatMap((place, at) => draftRows(trajectory, place, path.length + at));
  const elsewhere = places.flatMap(({ others }, at) =>
    [...others].flatMap(([text, following]) => {
      const there = [...path, ...places.slice(0, at).map(({ chosen }) => chosen ?? ""), text];
      const signposts = there.map((passed, step) => ({ ...PLAIN, step, text: passed, is_chosen: true }));
      return [...signposts, ...allRows(trajectory, following, there)];
    }),
  );
  return [...rows, ...elsewhere];
}

function critiquesOf({ critiques, ownCritique }: Place) {
  const rated = critiques.map(({ text, answer }) => ({
    text,
    rating: answer === null ? null : RATINGS[answer],
    is_human: false,
  }));
  return ownCritique.trim() === "" ? rated : [...rated, { text: ownCritique, rating: null, is_human: true }];
}

function badPlace(trajectory: Trajectory): Place {
  const bad = firstBad(trajectory);
  return bad === null ? EMPTY : placeOf(trajectory, bad);
}

/** Returns everything as a draft, also what does not count now: a correction may bring it back. */
export function toDraft(trajectory: Trajectory, version: number): Draft & { history: Trajectory["history"] } {
  const bad = badPlace(trajectory);
  return {
    version,
    ratings: allRows(trajectory, trajectory.places),
    critiques: critiquesOf(bad),
    solution_progress: bad.progress ?? "",
    result: "",
    finish_note: "",
    history: trajectory.history,
    active_ms: Math.round(trajectory.activeMs),
  };
}

/** Returns the places that count: the answered ones; in `alternatives` the whole way, or up to a step that ends it. */
function countingPlaces(trajectory: Trajectory, reason: FinishReason): readonly Place[] {
  if (trajectory.kind === "solutions") return trajectory.places.slice(0, answeredCount(trajectory));
  return wayOf(trajectory).slice(0, reason === "solution" ? trajectory.at + 1 : undefined);
}

/** Returns the rated rows, and a chosen own step; in `solutions`, alternatives only of the first Bad step. */
function countingRows(trajectory: Trajectory, place: Place, step: number): Row[] {
  const isAnswered = ({ rating, is_flagged }: Row) => rating !== null || is_flagged;
  const rows = rowsOf(trajectory, place, step)
    .filter((row) => (row.is_human ? row.is_chosen : isAnswered(row)))
    .map((row) => (row.rating === -1 ? row : { ...row, ...saidOf(NO_MISTAKE) }));
  if (trajectory.kind === "solutions") return step === firstBad(trajectory) ? rows : rows.slice(0, 1);
  return rows.map((row, completion) => ({ ...row, completion }));
}

export function toSubmission(
  trajectory: Trajectory,
  finish_reason: FinishReason,
  finish_note: string,
  result: Submission["result"] = "",
): Submission {
  const bad = finish_reason === "found_error" ? badPlace(trajectory) : EMPTY;
  return {
    ratings: countingPlaces(trajectory, finish_reason).flatMap((place, step) => countingRows(trajectory, place, step)),
    critiques: critiquesOf(bad).filter(({ is_human, rating }) => is_human || rating !== null),
    solution_progress: bad.progress ?? "",
    result,
    finish_reason,
    finish_note,
    history: trajectory.history,
    active_ms: Math.round(trajectory.activeMs),
  };
}

function candidateFrom({ text, rating, is_flagged, note, active_ms, ...said }: SavedRow): Candidate {
  const answer = ratingWord(rating, is_flagged);
  return { text, statesAnswer: statesAnswer(text), answer, note, activeMs: active_ms, mistake: mistakeFrom(said) };
}

function placeFrom(rows: SavedRow[]): Place {
  const human = rows.filter((row) => row.is_human);
  const own = human.find((row) => row.rating !== null);
  const writing = human.find((row) => row.rating === null);
  return {
    ...EMPTY,
    offered: rows.filter((row) => !row.is_human).map(candidateFrom),
    own: own ? candidateFrom(own) : null,
    writing: writing ? { text: writing.text, activeMs: writing.active_ms } : null,
    chosen: rows.find((row) => row.is_chosen)?.text ?? null,
  };
}

/** A place of a saved draft, with what follows each choice. */
interface Node {
  place: Place | null;
  next: Map<string, Node>;
}

function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const text of path) {
    const next = node.next.get(text) ?? { place: null, next: new Map<string, Node>() };
    node.next.set(text, next);
    node = next;
  }
  return node;
}

function placesFrom(node: Node | undefined): Place[] {
  if (!node?.place) return [];
  const { place, next } = node;
  const elsewhere = [...next].filter(([text]) => text !== place.chosen);
  const others = new Map(elsewhere.map(([text, other]) => [text, placesFrom(other)]));
  return [{ ...place, others }, ...placesFrom(next.get(place.chosen ?? ""))];
}

function treeFrom(ratings: SavedRow[]): Place[] {
  const groups: SavedRow[][] = [];
  for (const row of ratings) {
    if (row.completion === 0) groups.push([]);
    groups.at(-1)?.push(row);
  }
  const root: Node = { place: null, next: new Map() };
  let path: string[] = [];
  for (const rows of groups) {
    path = path.slice(0, rows[0]?.step);
    const isSignpost = rows[0]?.is_chosen && rows[0].rating === null;
    if (!isSignpost) nodeAt(root, path).place = placeFrom(rows);
    path = [...path, rows.find((row) => row.is_chosen)?.text ?? ""];
  }
  const places = placesFrom(root);
  return places.length > 0 ? places : [EMPTY];
}

function givenFrom(steps: readonly string[], ratings: SavedRow[]): Place[] {
  const rows: SavedRow[][] = steps.map(() => []);
  for (const row of ratings) rows[row.step]?.push(row);
  return rows.map((saved, step) => {
    const text = steps[step] ?? "";
    const own = saved.find(({ completion }) => completion === 0);
    const alternatives = saved.filter((row) => row !== own).map(candidateFrom);
    return {
      ...EMPTY,
      offered: [{ ...(own ? candidateFrom(own) : unrated("")), text }, ...alternatives],
      chosen: text,
    };
  });
}

/** Restores the critiques and the progress, which only the first Bad step has. */
function withCritiques(trajectory: Trajectory, { critiques = [], solution_progress }: Saved): Trajectory {
  const bad = firstBad(trajectory);
  if (bad === null) return trajectory;
  const place: Place = {
    ...placeOf(trajectory, bad),
    critiques: critiques
      .filter((item) => !item.is_human)
      .map(({ text, rating }) => ({ ...unrated(text), answer: ratingWord(rating ?? null, false) })),
    ownCritique: critiques.find((item) => item.is_human)?.text ?? "",
    progress: solution_progress || null,
  };
  return { ...trajectory, places: trajectory.places.map((other, step) => (step === bad ? place : other)) };
}

/**
 * Returns a trajectory from a draft, from a submission (to revise it), or from nothing. `steps` are those of the given
 * solution; null makes it one of kind `alternatives`.
 */
export function begin(steps: readonly string[] | null, saved: Saved | null, asked: Asked = NOTHING_ASKED): Trajectory {
  const ratings = saved?.ratings ?? [];
  const fresh: Trajectory = {
    kind: steps ? "solutions" : "alternatives",
    asked,
    places: steps ? givenFrom(steps, ratings) : treeFrom(ratings),
    at: 0,
    focus: FIRST,
    history: saved?.history ?? [],
    changes: [],
    activeMs: saved?.active_ms ?? 0,
    endsAt: null,
    edition: 0,
  };
  const restored = saved ? withCritiques(fresh, saved) : fresh;
  const open = isRated(restored) ? openPart(restored) : null;
  const unnamed = nameless(restored);
  if (unnamed) return { ...restored, at: unnamed.step, focus: unnamed.part };
  const there = { ...restored, at: (open ? firstBad(restored) : null) ?? frontier(restored) };
  return { ...there, focus: open ?? { ...FIRST, index: steps ? 0 : firstOpen(placeOf(there)) } };
}
