import type { Draft, FinishReason, Submission } from "@/api/types";
import { RATINGS, ratingWord } from "@/shared/ratings";
import { statesAnswer } from "./finalAnswer";
import {
  candidatesOf,
  chosenIndex,
  EMPTY,
  firstOpen,
  keyOf,
  placeOf,
  stopsOf,
  type Candidate,
  type Path,
  type Place,
  type Trajectory,
} from "./places";

type Row = Draft["ratings"][number];
type Saved = Pick<Draft, "ratings" | "history"> & { active_ms?: number | null };

function rowsOf(place: Place, step: number): Row[] {
  return candidatesOf(place).map(({ text, answer, note, activeMs }, completion) => ({
    step,
    completion,
    text,
    note,
    rating: answer === null ? null : RATINGS[answer],
    is_flagged: answer === "unsure",
    is_chosen: completion === chosenIndex(place),
    is_human: completion === place.offered.length,
    active_ms: Math.round(activeMs),
  }));
}

/** An own step that is not finished yet: human, and without a rating. */
function unfinished({ writing }: Place, step: number, completion: number): Row[] {
  if (!writing?.text) return [];
  const active_ms = Math.round(writing.activeMs);
  return [
    {
      step,
      completion,
      text: writing.text,
      note: "",
      rating: null,
      is_flagged: false,
      is_chosen: false,
      is_human: true,
      active_ms,
    },
  ];
}

function draftRows(place: Place, step: number): Row[] {
  const rows = rowsOf(place, step);
  return [...rows, ...unfinished(place, step, rows.length)];
}

/** A step on the way to a place that the present choices do not reach. */
function signpost(text: string, step: number): Row {
  return {
    step,
    completion: 0,
    text,
    note: "",
    rating: null,
    is_flagged: false,
    is_chosen: true,
    is_human: false,
    active_ms: 0,
  };
}

/**
 * Everything: first the places on the way; then, each behind the signposts that lead to it, those behind choices that
 * were changed. Every place begins with completion 0, so that the list can be read back.
 */
export function toDraft(trajectory: Trajectory, version: number): Draft & { history: Trajectory["history"] } {
  const stops = stopsOf(trajectory);
  const onTheWay = new Set(stops.map(({ path }) => keyOf(path)));
  const behind = Object.entries(trajectory.places).filter(([key]) => !onTheWay.has(key));
  const ratings = [
    ...stops.flatMap(({ place }, step) => draftRows(place, step)),
    ...behind.flatMap(([key, place]) => {
      const path = JSON.parse(key) as Path;
      return [...path.map(signpost), ...draftRows(place, path.length)];
    }),
  ];
  const { history, activeMs } = trajectory;
  return {
    version,
    ratings,
    critiques: [],
    solution_progress: "",
    finish_note: "",
    history,
    active_ms: Math.round(activeMs),
  };
}

function candidateFrom({ text, rating, is_flagged, note, active_ms }: Row): Candidate {
  return { text, statesAnswer: statesAnswer(text), answer: ratingWord(rating, is_flagged), note, activeMs: active_ms };
}

function placeFrom(rows: Row[]): Place {
  const human = rows.filter((row) => row.is_human);
  const own = human.find((row) => row.rating !== null);
  const writing = human.find((row) => row.rating === null);
  return {
    offered: rows.filter((row) => !row.is_human).map(candidateFrom),
    own: own ? candidateFrom(own) : null,
    writing: writing ? { text: writing.text, activeMs: writing.active_ms } : null,
    chosen: rows.find((row) => row.is_chosen)?.text ?? null,
  };
}

function groupsOf(ratings: Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of ratings) {
    if (row.completion === 0) groups.push([]);
    groups.at(-1)?.push(row);
  }
  return groups;
}

function isSignpost([row]: Row[]): boolean {
  return row !== undefined && row.is_chosen && row.rating === null;
}

function placesFrom(ratings: Row[]): Trajectory["places"] {
  const places: Trajectory["places"] = {};
  let path: Path = [];
  for (const group of groupsOf(ratings)) {
    const before = path.slice(0, group[0]?.step);
    if (!isSignpost(group)) places[keyOf(before)] = placeFrom(group);
    path = [...before, group.find((row) => row.is_chosen)?.text ?? ""];
  }
  return places;
}

/** From a draft, from what was submitted (to revise it), or from nothing. */
export function begin(saved: Saved | null): Trajectory {
  const places = placesFrom(saved?.ratings ?? []);
  const at = Math.max(stopsOf({ places }).length - 1, 0);
  const fresh = {
    places,
    at,
    focus: 0,
    history: saved?.history ?? [],
    changes: [],
    activeMs: saved?.active_ms ?? 0,
    edition: 0,
  };
  return { ...fresh, focus: firstOpen(placeOf(fresh) ?? EMPTY) };
}

/** What counts at a place: rated, and an own step only where it goes on. Numbered anew where some are left out. */
function submittedRows(place: Place, step: number): Row[] {
  const counting = rowsOf(place, step).filter((row) =>
    row.is_human ? row.is_chosen : row.rating !== null || row.is_flagged,
  );
  return counting.map((row, completion) => ({ ...row, completion }));
}

/** The way up to the step on the screen when it is the solution's end, else as far as it has got. */
export function toSubmission(trajectory: Trajectory, finish_reason: FinishReason, finish_note: string): Submission {
  const { history, active_ms } = toDraft(trajectory, 0);
  const stops = stopsOf(trajectory);
  const counting = finish_reason === "solution" ? stops.slice(0, trajectory.at + 1) : stops;
  const ratings = counting.flatMap(({ place }, step) => submittedRows(place, step));
  return { ratings, critiques: [], solution_progress: "", finish_reason, finish_note, history, active_ms };
}
