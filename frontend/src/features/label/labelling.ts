import type { Draft, FinishReason, Submission } from "@/api/types";
import { RATINGS, ratingWord, type RatingWord } from "@/shared/ratings";
import * as beside from "./beside";
import type { Asked, Beside, Part, Progress } from "./beside";

/** The state of one labelling, and what may happen to it. Pure: the clock comes in with the actions. */
type History = NonNullable<Draft["history"]>;

export interface StepState {
  answer: RatingWord | null;
  note: string;
  activeMs: number;
}

interface Change {
  step: number;
  /** Not the step itself, but something asked beside it. */
  part: Part | null;
  before: RatingWord | Progress | null;
}

export interface Labelling {
  steps: StepState[];
  focus: number;
  /** What the keys go to beside the first bad step; `null`: the step in focus. */
  part: Part | null;
  asked: Asked;
  /** By step: a correction may move the first bad step there and back. */
  beside: Partial<Record<number, Beside>>;
  history: History;
  /** What undo takes back. Not part of the draft: a reload starts it afresh. */
  changes: Change[];
  activeMs: number;
}

export type Action =
  | { type: "answer"; answer: RatingWord }
  | { type: "undo" }
  | { type: "focus"; step: number }
  | { type: "part"; part: Part }
  | { type: "move"; by: 1 | -1 }
  | { type: "note"; step: number; note: string }
  | { type: "offer"; step: number; kind: beside.OfferKind; texts: readonly string[]; isPending: boolean }
  | { type: "skip"; kind: beside.OfferKind }
  | { type: "critique"; text: string }
  | { type: "spend"; ms: number };

export function begin(stepCount: number, draft: Draft | null, asked: Asked = beside.NOTHING_ASKED): Labelling {
  const steps = Array.from({ length: stepCount }, (_, step): StepState => {
    const saved = draft?.ratings.find((rating) => rating.step === step && rating.completion === 0);
    if (saved === undefined) return { answer: null, note: "", activeMs: 0 };
    return { answer: ratingWord(saved.rating, saved.is_flagged), note: saved.note, activeMs: saved.active_ms };
  });
  const activeMs = draft?.active_ms ?? 0;
  const fresh: Labelling = {
    steps,
    focus: 0,
    part: null,
    asked,
    beside: {},
    history: draft?.history ?? [],
    changes: [],
    activeMs,
  };
  const restored = { ...fresh, beside: draft === null ? {} : beside.restore(draft, firstBad(fresh)) };
  return { ...restored, focus: frontier(restored), part: openPart(restored) };
}

export function firstBad({ steps }: Pick<Labelling, "steps">): number | null {
  const open = steps.findIndex((step) => step.answer === null);
  const bad = steps.findIndex((step) => step.answer === "bad");
  return bad < 0 || (open >= 0 && open < bad) ? null : bad;
}

/** What belongs to the first bad step. */
export function besideBad(labelling: Labelling): Beside {
  return labelling.beside[firstBad(labelling) ?? -1] ?? beside.begin();
}

function openPart(labelling: Labelling): Part | null {
  return firstBad(labelling) === null ? null : beside.firstOpen(besideBad(labelling), labelling.asked);
}

/** What the phase still asks for beside the first bad step. */
export function missing(labelling: Labelling): beside.Kind | null {
  return openPart(labelling)?.kind ?? null;
}

/** The last step that may be rated now: the first without an answer, or the first bad one. */
export function frontier(labelling: Labelling): number {
  const end = labelling.steps.findIndex((step) => step.answer === null || step.answer === "bad");
  return end < 0 ? Math.max(labelling.steps.length - 1, 0) : end;
}

/** Why the labelling is finished, or null while something waits for an answer. */
export function finishReason(labelling: Labelling): "found_error" | "solution" | null {
  if (firstBad(labelling) !== null) return missing(labelling) === null ? "found_error" : null;
  return labelling.steps.every((step) => step.answer !== null) ? "solution" : null;
}

/** Steps with an answer that counts: none behind the first bad one. */
export function answeredCount(labelling: Labelling): number {
  const end = frontier(labelling);
  return labelling.steps[end]?.answer == null ? end : end + 1;
}

function withBeside(labelling: Labelling, step: number, change: (state: Beside) => Beside): Labelling {
  return { ...labelling, beside: { ...labelling.beside, [step]: change(labelling.beside[step] ?? beside.begin()) } };
}

function remember(labelling: Labelling, step: number, completion: number, answer: RatingWord | null): History {
  const rating = answer === null ? null : RATINGS[answer];
  return [...labelling.history, { step, completion, rating, at_ms: Math.round(labelling.activeMs) }];
}

function withAnswer(labelling: Labelling, step: number, answer: RatingWord | null): Labelling {
  return {
    ...withStep(labelling, step, (state) => ({ ...state, answer })),
    history: remember(labelling, step, 0, answer),
  };
}

function withPart(labelling: Labelling, step: number, part: Part, value: RatingWord | Progress | null): Labelling {
  const changed = withBeside(labelling, step, (state) => beside.answer(state, part, value));
  if (part.kind !== "alternatives") return changed;
  return { ...changed, history: remember(labelling, step, part.index + 1, value as RatingWord | null) };
}

function answerFocused(labelling: Labelling, answer: RatingWord): Labelling {
  const { focus: step, part } = labelling;
  if (part !== null) return answerPart(labelling, step, part, answer);
  const before = labelling.steps[step]?.answer ?? null;
  const changed = before === answer ? labelling : withAnswer(labelling, step, answer);
  const changes = before === answer ? labelling.changes : [...labelling.changes, { step, part, before }];
  return { ...changed, changes, focus: frontier(changed), part: openPart(changed) };
}

function answerPart(labelling: Labelling, step: number, part: Part, answer: RatingWord): Labelling {
  const value = part.kind === "progress" ? beside.PROGRESS_OF[answer] : answer;
  if (part.kind === "critiques" && answer === "unsure") return labelling; // a critique has a rating, or is left out
  if (!beside.isHere(besideBad(labelling), part)) return labelling;
  const before = beside.valueOf(besideBad(labelling), part);
  if (before === value) return { ...labelling, part: openPart(labelling) ?? part };
  const changed = withPart(labelling, step, part, value);
  return { ...changed, changes: [...labelling.changes, { step, part, before }], part: openPart(changed) ?? part };
}

function undo(labelling: Labelling): Labelling {
  const change = labelling.changes.at(-1);
  if (change === undefined) return labelling;
  const { step, part, before } = change;
  const undone =
    part === null ? withAnswer(labelling, step, before as RatingWord | null) : withPart(labelling, step, part, before);
  return {
    ...undone,
    changes: labelling.changes.slice(0, -1),
    focus: step,
    part: step === firstBad(undone) ? part : null,
  };
}

function move(labelling: Labelling, by: 1 | -1): Labelling {
  const parts = firstBad(labelling) === labelling.focus ? beside.parts(besideBad(labelling), labelling.asked) : [];
  const here = parts.findIndex((part) => beside.isSame(part, labelling.part));
  if (here + by >= 0)
    return {
      ...labelling,
      part: parts[Math.min(here + by, parts.length - 1)] ?? null,
      ...(parts.length === 0 && stepTo(labelling, by)),
    };
  return { ...labelling, ...(labelling.part === null ? stepTo(labelling, by) : { part: null }) };
}

function stepTo(labelling: Labelling, by: number): Pick<Labelling, "focus"> {
  return { focus: Math.min(Math.max(labelling.focus + by, 0), frontier(labelling)) };
}

function withStep(labelling: Labelling, step: number, change: (state: StepState) => StepState): Labelling {
  return { ...labelling, steps: labelling.steps.map((state, index) => (index === step ? change(state) : state)) };
}

/** What the keys go to moves on to what has come, unless it waits for an answer itself, or somebody went back to the step. */
function takeOffer(
  labelling: Labelling,
  { step, kind, texts, isPending }: Extract<Action, { type: "offer" }>,
): Labelling {
  const { part } = labelling;
  const before = besideBad(labelling);
  const isOpen = part !== null && beside.isHere(before, part) && beside.valueOf(before, part) === null;
  const offered = withBeside(labelling, step, (state) => beside.offer(state, kind, texts, isPending));
  if (part === null || isOpen || step !== firstBad(labelling)) return offered;
  return { ...offered, part: openPart(offered) ?? (beside.isHere(before, part) ? part : null) };
}

function spend(labelling: Labelling, ms: number): Labelling {
  const { focus, part } = labelling;
  const spent =
    part === null
      ? withStep(labelling, focus, (state) => ({ ...state, activeMs: state.activeMs + ms }))
      : withBeside(labelling, focus, (state) => beside.spend(state, part, ms));
  return { ...spent, activeMs: labelling.activeMs + ms };
}

export function reduce(labelling: Labelling, action: Action): Labelling {
  switch (action.type) {
    case "answer":
      return answerFocused(labelling, action.answer);
    case "undo":
      return undo(labelling);
    case "focus":
      return { ...labelling, part: null, focus: Math.min(Math.max(action.step, 0), frontier(labelling)) };
    case "part":
      return { ...labelling, part: action.part, focus: frontier(labelling) };
    case "move":
      return move(labelling, action.by);
    case "note":
      return withStep(labelling, action.step, (state) => ({ ...state, note: action.note }));
    case "offer":
      return takeOffer(labelling, action);
    case "skip": {
      const skipped = withBeside(labelling, frontier(labelling), (state) => ({
        ...state,
        skipped: [...state.skipped, action.kind],
      }));
      return { ...skipped, part: openPart(skipped) };
    }
    case "critique":
      return withBeside(labelling, frontier(labelling), (state) => ({ ...state, ownCritique: action.text }));
    case "spend":
      return spend(labelling, action.ms);
  }
}

function ratingsOf(steps: StepState[]): Draft["ratings"] {
  return steps.map((state, step) => ({
    ...beside.ratingOf(state.answer, state.activeMs),
    step,
    completion: 0,
    text: "",
    is_chosen: true,
    note: state.note,
  }));
}

/** Everything, also what is now behind the first bad step: a correction brings it back. */
export function toDraft(labelling: Labelling, version: number): Draft & { history: History } {
  const bad = besideBad(labelling);
  const alternatives = Object.entries(labelling.beside).flatMap(([step, state]) =>
    state ? beside.ratings(state, Number(step)) : [],
  );
  return {
    version,
    ratings: [...ratingsOf(labelling.steps), ...alternatives],
    critiques: beside.critiques(bad),
    solution_progress: bad.progress ?? "",
    finish_note: "",
    history: labelling.history,
    active_ms: Math.round(labelling.activeMs),
  };
}

/** Only what has an answer and counts: steps behind the first bad one stay unlabelled. */
export function toSubmission(labelling: Labelling, finish_reason: FinishReason, finish_note: string): Submission {
  const { history, active_ms } = toDraft(labelling, 0);
  const bad = firstBad(labelling);
  const isError = finish_reason === "found_error";
  const alternatives =
    bad === null
      ? []
      : beside.ratings(besideBad(labelling), bad).filter((item) => item.rating !== null || item.is_flagged);
  return {
    ratings: [...ratingsOf(labelling.steps).slice(0, answeredCount(labelling)), ...alternatives],
    critiques: isError
      ? beside.critiques(besideBad(labelling)).filter((item) => item.is_human || item.rating !== null)
      : [],
    solution_progress: isError ? (besideBad(labelling).progress ?? "") : "",
    finish_reason,
    finish_note,
    history,
    active_ms,
  };
}
