import type { Offer } from "@/api/types";
import { RATINGS, type RatingWord } from "@/shared/ratings";
import {
  candidatesOf,
  chosenIndex,
  EMPTY,
  firstOpen,
  isRated,
  isSettled,
  keyOf,
  pathOf,
  placeOf,
  stopsOf,
  type Candidate,
  type Path,
  type Place,
  type Trajectory,
} from "./places";

/** What may happen to a trajectory. Pure: the clock comes in with the actions. */
export type Action =
  | { type: "offered"; path: Path; completions: Offer["completions"] }
  | { type: "answer"; index: number; answer: RatingWord }
  | { type: "choose"; index: number }
  | { type: "write"; text: string | null }
  | { type: "accept"; statesAnswer: boolean }
  | { type: "go_on" }
  | { type: "reopen"; step: number }
  | { type: "focus"; index: number }
  | { type: "note"; index: number; note: string }
  | { type: "undo" }
  | { type: "spend"; ms: number };

/** Round to those that were skipped; where it is when everything is rated: what is being read does not move. */
function nextOpen(place: Place, after: number): number {
  const open = place.offered.findIndex(({ answer }, index) => index > after && answer === null);
  if (open >= 0) return open;
  return isRated(place) ? after : firstOpen(place);
}

/** A choice that is no longer Great gives way to the own step, or to the first Great one. */
function withChoice(place: Place): Place {
  if (chosenIndex(place) !== null) return place;
  return { ...place, chosen: (place.own ?? place.offered.find(({ answer }) => answer === "great"))?.text ?? null };
}

function withPlace(trajectory: Trajectory, place: Place): Trajectory {
  return { ...trajectory, places: { ...trajectory.places, [keyOf(pathOf(trajectory))]: place } };
}

/** A change of the place on the screen that undo can take back. */
function changed(trajectory: Trajectory, place: Place, index: number): Trajectory {
  const now = placeOf(trajectory) ?? EMPTY;
  const before = { own: now.own, chosen: now.chosen, answer: candidatesOf(now)[index]?.answer ?? null };
  return { ...withPlace(trajectory, place), changes: [...trajectory.changes, { at: trajectory.at, index, before }] };
}

function recorded(trajectory: Trajectory, completion: number, answer: RatingWord | null): Trajectory {
  const event = {
    step: trajectory.at,
    completion,
    rating: answer === null ? null : RATINGS[answer],
    at_ms: Math.round(trajectory.activeMs),
  };
  return { ...trajectory, history: [...trajectory.history, event] };
}

function withCandidate(place: Place, index: number, change: Partial<Candidate>): Place {
  const own = index === place.offered.length && place.own ? { ...place.own, ...change } : place.own;
  return {
    ...place,
    own,
    offered: place.offered.map((candidate, at) => (at === index ? { ...candidate, ...change } : candidate)),
  };
}

function merge(trajectory: Trajectory, path: Path, completions: Offer["completions"]): Trajectory {
  const place = trajectory.places[keyOf(path)] ?? EMPTY;
  const known = new Set(place.offered.map(({ text }) => text));
  const fresh = completions.filter(({ text }) => !known.has(text));
  if (fresh.length === 0) return trajectory;
  const candidates = fresh.map(({ text, states_answer }) => ({
    text,
    statesAnswer: states_answer,
    answer: null,
    note: "",
    activeMs: 0,
  }));
  const merged = { ...place, offered: [...place.offered, ...candidates] };
  const isHere = keyOf(path) === keyOf(pathOf(trajectory));
  return {
    ...trajectory,
    places: { ...trajectory.places, [keyOf(path)]: merged },
    focus: isHere ? firstOpen(merged) : trajectory.focus,
  };
}

function answerAt(trajectory: Trajectory, index: number, answer: RatingWord): Trajectory {
  const place = placeOf(trajectory);
  const before = place?.offered[index];
  if (!place || before === undefined) return trajectory;
  const rated = withChoice(withCandidate(place, index, { answer }));
  const focus = nextOpen(rated, index);
  return before.answer === answer
    ? { ...trajectory, focus }
    : { ...recorded(changed(trajectory, rated, index), index, answer), focus };
}

function choose(trajectory: Trajectory, index: number): Trajectory {
  const place = placeOf(trajectory);
  const candidate = place && candidatesOf(place)[index];
  if (candidate?.answer !== "great" || index === chosenIndex(place ?? EMPTY)) return trajectory;
  return { ...changed(trajectory, { ...(place ?? EMPTY), chosen: candidate.text }, index), focus: index };
}

function write(trajectory: Trajectory, text: string | null): Trajectory {
  const place = placeOf(trajectory) ?? EMPTY;
  const activeMs = place.writing?.activeMs ?? place.own?.activeMs ?? 0;
  return withPlace(trajectory, { ...place, writing: text === null ? null : { text, activeMs } });
}

function accept(trajectory: Trajectory, statesAnswer: boolean): Trajectory {
  const place = placeOf(trajectory);
  const text = place?.writing?.text.trim();
  if (!place?.writing || !text) return trajectory;
  const own: Candidate = {
    text,
    statesAnswer,
    answer: "great",
    note: place.own?.note ?? "",
    activeMs: place.writing.activeMs,
  };
  const index = place.offered.length;
  const accepted = recorded(changed(trajectory, { ...place, own, writing: null, chosen: text }, index), index, "great");
  return { ...accepted, focus: isRated(place) ? index : firstOpen(place) };
}

function show(trajectory: Trajectory, at: number): Trajectory {
  const shown = { ...trajectory, at };
  const place = placeOf(shown);
  return { ...shown, focus: place ? firstOpen(place) : 0 };
}

function goOn(trajectory: Trajectory): Trajectory {
  const last = stopsOf(trajectory).length - 1;
  const place = placeOf(trajectory);
  if (!place || !isSettled(place)) return trajectory;
  return show(trajectory, trajectory.at < last ? last : trajectory.at + 1);
}

function undo(trajectory: Trajectory): Trajectory {
  const change = trajectory.changes.at(-1);
  if (change === undefined) return trajectory;
  const there = { ...trajectory, at: change.at, focus: change.index, changes: trajectory.changes.slice(0, -1) };
  const place = placeOf(there) ?? EMPTY;
  const { answer, ...before } = change.before;
  const restored = { ...withCandidate(place, change.index, { answer }), ...before };
  const undone = focusOn(withPlace(there, restored), change.index);
  return answer === (candidatesOf(place)[change.index]?.answer ?? null)
    ? undone
    : recorded(undone, change.index, answer);
}

function spend(trajectory: Trajectory, ms: number): Trajectory {
  const place = placeOf(trajectory);
  const spent = { ...trajectory, activeMs: trajectory.activeMs + ms };
  if (!place) return spent;
  if (place.writing)
    return withPlace(spent, { ...place, writing: { ...place.writing, activeMs: place.writing.activeMs + ms } });
  const focused = candidatesOf(place)[trajectory.focus];
  return focused
    ? withPlace(spent, withCandidate(place, trajectory.focus, { activeMs: focused.activeMs + ms }))
    : spent;
}

function focusOn(trajectory: Trajectory, index: number): Trajectory {
  const last = candidatesOf(placeOf(trajectory) ?? EMPTY).length - 1;
  const focus = Math.max(Math.min(index, last), 0);
  return focus === trajectory.focus ? trajectory : { ...trajectory, focus };
}

function act(trajectory: Trajectory, action: Exclude<Action, { type: "spend" | "focus" }>): Trajectory {
  switch (action.type) {
    case "offered":
      return merge(trajectory, action.path, action.completions);
    case "answer":
      return answerAt(trajectory, action.index, action.answer);
    case "choose":
      return choose(trajectory, action.index);
    case "write":
      return write(trajectory, action.text);
    case "accept":
      return accept(trajectory, action.statesAnswer);
    case "go_on":
      return goOn(trajectory);
    case "reopen":
      return show(trajectory, Math.max(Math.min(action.step, stopsOf(trajectory).length - 1), 0));
    case "note":
      return withPlace(trajectory, withCandidate(placeOf(trajectory) ?? EMPTY, action.index, { note: action.note }));
    case "undo":
      return undo(trajectory);
  }
}

export function reduce(trajectory: Trajectory, action: Action): Trajectory {
  if (action.type === "spend") return spend(trajectory, action.ms);
  if (action.type === "focus") return focusOn(trajectory, action.index);
  const next = act(trajectory, action);
  return next === trajectory ? trajectory : { ...next, edition: trajectory.edition + 1 };
}
