import type { Offer } from "@/api/types";
import { RATINGS, type RatingWord } from "@/shared/words/ratings";
import {
  answerAt,
  candidateAt,
  EMPTY,
  FIRST,
  firstOpen,
  isRated,
  isSame,
  isSettled,
  nextOpen,
  PROGRESS_OF,
  unrated,
  withAnswer,
  withCandidate,
  withChoice,
  type Answer,
  type Candidate,
  type Mistake,
  type OfferKind,
  type Part,
  type Place,
} from "./places";
import { firstBad, frontier, isRated as isAllRated, nameless, openPart, partsOf, placeOf } from "./trajectory";
import type { Spot, Trajectory } from "./trajectory";

/** The actions on a trajectory. Pure: the clock comes in with them. */
export type Action =
  | { type: "answer"; answer: RatingWord; part?: Part }
  | { type: "undo" }
  | { type: "move"; by: 1 | -1 }
  /** Goes to a step; `part` goes to a part of the first Bad step, or else of the one in focus. */
  | { type: "focus"; step: number; part?: Part }
  | { type: "part"; part: Part }
  /** Changes the statement about a Bad step or completion. */
  | { type: "mistake"; spot: Spot; change: Partial<Mistake> }
  | { type: "note"; step: number; note: string; index?: number }
  /** `path`: the texts of the steps before the completions; for critiques, also of the step that they are about. */
  | {
      type: "offered";
      kind: OfferKind;
      path: readonly string[];
      completions: Offer["completions"];
      isPending?: boolean;
    }
  | { type: "skip"; kind: OfferKind }
  | { type: "critique"; text: string }
  | { type: "choose"; index: number }
  | { type: "write"; text: string | null }
  | { type: "accept"; statesAnswer: boolean }
  | { type: "go_on" }
  /** Marks the choice in focus as the trajectory's end, or unmarks it. */
  | { type: "finish"; isEnd: boolean }
  | { type: "spend"; ms: number };

/** Replaces a place. If its choice changes, the places after it are kept with the old choice, and come back with it. */
function withPlace(trajectory: Trajectory, place: Place, step = trajectory.at): Trajectory {
  const { chosen } = placeOf(trajectory, step);
  const before = trajectory.places.slice(0, step);
  const after = trajectory.places.slice(step + 1);
  if (chosen === place.chosen) return { ...trajectory, places: [...before, place, ...after] };
  const others = new Map(place.others);
  const kept = after.filter((each) => each !== EMPTY);
  if (chosen !== null && kept.length > 0) others.set(chosen, kept);
  const following = others.get(place.chosen ?? "") ?? [];
  others.delete(place.chosen ?? "");
  return { ...trajectory, places: [...before, { ...place, others }, ...following] };
}

/** Replaces the place in focus, in a way that undo can take back. */
function changed(trajectory: Trajectory, place: Place, part: Part): Trajectory {
  const { own, chosen, ...now } = placeOf(trajectory);
  const place_ = { own, chosen, ...now };
  const before = { own, chosen, answer: answerAt(place_, part), mistake: candidateAt(place_, part)?.mistake };
  const changes = [...trajectory.changes, { step: trajectory.at, part, before }];
  return { ...withPlace(trajectory, place), changes };
}

function recorded(trajectory: Trajectory, { kind, index }: Part, answer: Answer): Trajectory {
  if (kind !== "completions") return trajectory;
  const rating = answer === null ? null : RATINGS[answer as RatingWord];
  const event = { step: trajectory.at, completion: index, rating, at_ms: Math.round(trajectory.activeMs) };
  return { ...trajectory, history: [...trajectory.history, event] };
}

/** Focuses `part`, or the nearest completion if there is no such part. */
function focusOn(trajectory: Trajectory, part: Part): Trajectory {
  const parts = partsOf(trajectory);
  const last = parts.filter(({ kind }) => kind === "completions").length - 1;
  const index = part.kind === "completions" ? Math.max(Math.min(part.index, last), 0) : 0;
  const focus = parts.find((each) => isSame(each, part)) ?? { kind: "completions", index };
  return isSame(focus, trajectory.focus) ? trajectory : { ...trajectory, focus };
}

/** Focuses a step, but none that was not reached. */
function show(trajectory: Trajectory, step: number): Trajectory {
  const at = Math.max(Math.min(step, frontier(trajectory)), 0);
  const index = trajectory.kind === "alternatives" ? firstOpen(placeOf(trajectory, at)) : 0;
  return { ...trajectory, at, focus: { kind: "completions", index } };
}

function goToSpot(trajectory: Trajectory, { step, part }: Spot): Trajectory {
  return { ...trajectory, at: step, focus: part };
}

/** Focuses the next open thing: the kind of an error, a completion, a question beside the first Bad step, or a step. */
function goToOpen(trajectory: Trajectory): Trajectory {
  const unnamed = nameless(trajectory);
  if (unnamed) return goToSpot(trajectory, unnamed);
  if (trajectory.kind === "alternatives") {
    const { focus } = trajectory;
    return { ...trajectory, focus: { ...focus, index: nextOpen(placeOf(trajectory), focus.index) } };
  }
  const open = isAllRated(trajectory) ? openPart(trajectory) : null;
  const at = open ? (firstBad(trajectory) ?? trajectory.at) : frontier(trajectory);
  return { ...trajectory, at, focus: open ?? (at === trajectory.at ? trajectory.focus : FIRST) };
}

/** Changes the statement about an error. A change of its kind moves on to what is open; others keep the focus. */
function say(trajectory: Trajectory, spot: Spot, change: Partial<Mistake>): Trajectory {
  const there = goToSpot(trajectory, spot);
  const { part } = spot;
  const place = placeOf(there);
  const mistake = candidateAt(place, part)?.mistake;
  if (mistake === undefined) return trajectory;
  const said = changed(there, withCandidate(place, part, { mistake: { ...mistake, ...change } }), part);
  return change.kind === undefined ? said : goToOpen(said);
}

/** True if a part may get the answer: an own step is always Great, and a critique is never unsure. */
function mayBe(place: Place, part: Part, answer: RatingWord): boolean {
  if (part.kind === "progress") return true;
  if (part.kind === "critiques" && answer === "unsure") return false;
  return candidateAt(place, part) !== undefined && candidateAt(place, part) !== place.own;
}

function answer(trajectory: Trajectory, part: Part, given: RatingWord): Trajectory {
  const place = placeOf(trajectory);
  if (!mayBe(place, part, given)) return trajectory;
  const value = part.kind === "progress" ? PROGRESS_OF[given] : given;
  const isTree = trajectory.kind === "alternatives";
  const answered = withAnswer(place, part, value);
  const rated =
    answerAt(place, part) === value
      ? trajectory
      : recorded(changed(trajectory, isTree ? withChoice(answered) : answered, part), part, value);
  return goToOpen({ ...rated, focus: part });
}

function undo(trajectory: Trajectory): Trajectory {
  const change = trajectory.changes.at(-1);
  if (change === undefined) return trajectory;
  const { step, part, before } = change;
  const there = { ...trajectory, at: step, changes: trajectory.changes.slice(0, -1) };
  const place = placeOf(there);
  const { own, chosen } = before;
  const answered = { ...withAnswer(place, part, before.answer), own, chosen };
  const restored = before.mistake ? withCandidate(answered, part, { mistake: before.mistake }) : answered;
  const undone = focusOn(withPlace(there, restored), part);
  return before.answer === answerAt(place, part) ? undone : recorded(undone, part, before.answer);
}

function move(trajectory: Trajectory, by: 1 | -1): Trajectory {
  const parts = partsOf(trajectory);
  const focus = parts[parts.findIndex((part) => isSame(part, trajectory.focus)) + by];
  if (focus !== undefined) return { ...trajectory, focus };
  const step = Math.max(Math.min(trajectory.at + by, frontier(trajectory)), 0);
  return trajectory.kind === "alternatives" || step === trajectory.at ? trajectory : show(trajectory, step);
}

function offered(trajectory: Trajectory, action: Extract<Action, { type: "offered" }>): Trajectory {
  const { kind, path, completions, isPending = false } = action;
  const step = kind === "critiques" ? path.length - 1 : path.length;
  if (path.some((text, at) => trajectory.places[at]?.chosen !== text)) return trajectory; // the choice has changed
  const place = placeOf(trajectory, step);
  const list = kind === "critiques" ? "critiques" : "offered";
  const known = new Set(place[list].map(({ text }) => text));
  const fresh = completions.filter(({ text }) => !known.has(text));
  const isKnown = !trajectory.asked[kind] || place.settled.includes(kind) !== isPending;
  if (fresh.length === 0 && isKnown) return trajectory;
  const all = [...place[list], ...fresh.map(({ text, states_answer }) => unrated(text, states_answer))];
  const rest = place.settled.filter((other) => other !== kind);
  const settled = isPending || !trajectory.asked[kind] ? rest : [...rest, kind];
  const merged = withPlace(trajectory, { ...place, [list]: all, settled }, step);
  return {
    ...arrived(trajectory, merged, step),
    edition: trajectory.edition + Number(fresh.length > 0),
  };
}

/** Focuses what has arrived, unless the focus is on another step, or on a part that waits for an answer itself. */
function arrived(before: Trajectory, merged: Trajectory, step: number): Trajectory {
  const { at, focus } = merged;
  if (step !== at) return merged;
  if (merged.kind === "alternatives") {
    // An error that is being explained keeps the focus.
    return nameless(merged) ? merged : focusOn(merged, { ...FIRST, index: firstOpen(placeOf(merged)) });
  }
  const isWaiting = focus.kind === "progress" || candidateAt(placeOf(before), focus) !== undefined;
  const isOpen = isWaiting && answerAt(placeOf(before), focus) === null;
  if (isSame(focus, FIRST) || isOpen) return merged;
  return focusOn(merged, openPart(merged) ?? (isWaiting ? focus : FIRST));
}

function choose(trajectory: Trajectory, index: number): Trajectory {
  const place = placeOf(trajectory);
  const part: Part = { kind: "completions", index };
  const candidate = candidateAt(place, part);
  if (trajectory.kind === "solutions" || candidate?.answer !== "great" || candidate.text === place.chosen)
    return trajectory;
  return { ...changed(trajectory, { ...place, chosen: candidate.text }, part), focus: part };
}

function write(trajectory: Trajectory, text: string | null): Trajectory {
  const place = placeOf(trajectory);
  const activeMs = place.writing?.activeMs ?? place.own?.activeMs ?? 0;
  return withPlace(trajectory, { ...place, writing: text === null ? null : { text, activeMs } });
}

function accept(trajectory: Trajectory, statesAnswer: boolean): Trajectory {
  const place = placeOf(trajectory);
  if (!place.writing || place.writing.text.trim() === "") return trajectory;
  const { text } = place.writing;
  const note = place.own?.note ?? "";
  const own: Candidate = { ...unrated(text, statesAnswer), answer: "great", note, activeMs: place.writing.activeMs };
  const part: Part = { kind: "completions", index: place.offered.length };
  const accepted = changed(trajectory, { ...place, own, writing: null, chosen: text }, part);
  return focusOn(recorded(accepted, part, "great"), isRated(place) ? part : { ...part, index: firstOpen(place) });
}

function goOn(trajectory: Trajectory): Trajectory {
  const last = frontier(trajectory);
  if (trajectory.kind === "solutions") return trajectory;
  const unnamed = nameless(trajectory);
  if (unnamed) return goToSpot(trajectory, unnamed);
  if (!isSettled(placeOf(trajectory))) return trajectory;
  const going = { ...trajectory, endsAt: null };
  if (trajectory.at < last) return show(going, last);
  return show({ ...going, places: [...trajectory.places, EMPTY] }, last + 1);
}

function finish(trajectory: Trajectory, isEnd: boolean): Trajectory {
  if (trajectory.kind === "solutions" || !trajectory.asked.byHand) return trajectory;
  return isSettled(placeOf(trajectory)) ? { ...trajectory, endsAt: isEnd ? trajectory.at : null } : trajectory;
}

function spend(trajectory: Trajectory, ms: number): Trajectory {
  const { focus } = trajectory;
  const place = placeOf(trajectory);
  const spent = { ...trajectory, activeMs: trajectory.activeMs + ms };
  const { writing } = place;
  if (writing) return withPlace(spent, { ...place, writing: { ...writing, activeMs: writing.activeMs + ms } });
  const candidate = candidateAt(place, focus);
  if (candidate === undefined) return spent;
  return withPlace(spent, withCandidate(place, focus, { activeMs: candidate.activeMs + ms }));
}

function act(trajectory: Trajectory, action: Exclude<Action, { type: "spend" | "offered" }>): Trajectory {
  switch (action.type) {
    case "answer": {
      const { part = trajectory.focus } = action;
      const there = isSame(part, trajectory.focus) ? trajectory : goTo(trajectory, part);
      return answer(there, part, action.answer);
    }
    case "undo":
      return undo(trajectory);
    case "move":
      return move(trajectory, action.by);
    case "focus":
      return action.part ? focusOn(show(trajectory, action.step), action.part) : show(trajectory, action.step);
    case "part":
      return goTo(trajectory, action.part);
    case "mistake":
      return say(trajectory, action.spot, action.change);
    case "finish":
      return finish(trajectory, action.isEnd);
    case "note": {
      const { step, note, index = 0 } = action;
      const noted = withCandidate(placeOf(trajectory, step), { kind: "completions", index }, { note });
      return withPlace(trajectory, noted, step);
    }
    case "skip": {
      const step = firstBad(trajectory) ?? frontier(trajectory);
      const place = placeOf(trajectory, step);
      return goToOpen(withPlace(trajectory, { ...place, skipped: [...place.skipped, action.kind] }, step));
    }
    case "critique": {
      const step = firstBad(trajectory) ?? frontier(trajectory);
      const written = withPlace(trajectory, { ...placeOf(trajectory, step), ownCritique: action.text }, step);
      return trajectory.focus.kind === "critiques" ? goToOpen(written) : written;
    }
    case "choose":
      return choose(trajectory, action.index);
    case "write":
      return write(trajectory, action.text);
    case "accept":
      return accept(trajectory, action.statesAnswer);
    case "go_on":
      return goOn(trajectory);
  }
}

/** Focuses a part; those beside a step belong to the first Bad one. */
function goTo(trajectory: Trajectory, part: Part): Trajectory {
  return focusOn({ ...trajectory, at: firstBad(trajectory) ?? trajectory.at }, part);
}

export function reduce(trajectory: Trajectory, action: Action): Trajectory {
  if (action.type === "spend") return spend(trajectory, action.ms);
  if (action.type === "offered") return offered(trajectory, action);
  const next = act(trajectory, action);
  return next.places === trajectory.places ? next : { ...next, edition: trajectory.edition + 1 };
}
