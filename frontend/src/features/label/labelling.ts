import type { Draft, FinishReason, Submission } from "@/api/types";

/** The state of one labelling, and what may happen to it. Pure: the clock comes in with the actions. */
export type Answer = "great" | "okay" | "bad" | "unsure";

type History = NonNullable<Draft["history"]>;

export interface StepState {
  answer: Answer | null;
  note: string;
  activeMs: number;
}

interface Change {
  step: number;
  before: Answer | null;
}

export interface Labelling {
  steps: StepState[];
  focus: number;
  history: History;
  /** What undo takes back. Not part of the draft: a reload starts it afresh. */
  changes: Change[];
  activeMs: number;
}

export type Action =
  | { type: "answer"; answer: Answer }
  | { type: "undo" }
  | { type: "focus"; step: number }
  | { type: "note"; step: number; note: string }
  | { type: "spend"; ms: number };

export const RATINGS = { great: 1, okay: 0, bad: -1, unsure: null } as const;

export function answerOf(rating: number | null, isFlagged: boolean): Answer | null {
  if (rating === null) return isFlagged ? "unsure" : null;
  return rating > 0 ? "great" : rating < 0 ? "bad" : "okay";
}

export function begin(stepCount: number, draft: Draft | null): Labelling {
  const steps = Array.from({ length: stepCount }, (_, step): StepState => {
    const saved = draft?.ratings.find((rating) => rating.step === step);
    if (saved === undefined) return { answer: null, note: "", activeMs: 0 };
    return { answer: answerOf(saved.rating, saved.is_flagged), note: saved.note, activeMs: saved.active_ms };
  });
  const fresh = { steps, focus: 0, history: draft?.history ?? [], changes: [], activeMs: draft?.active_ms ?? 0 };
  return { ...fresh, focus: frontier(fresh) };
}

export function firstBad({ steps }: Labelling): number | null {
  const open = steps.findIndex((step) => step.answer === null);
  const bad = steps.findIndex((step) => step.answer === "bad");
  return bad < 0 || (open >= 0 && open < bad) ? null : bad;
}

/** The last step that may be rated now: the first without an answer, or the first bad one. */
export function frontier(labelling: Labelling): number {
  const end = labelling.steps.findIndex((step) => step.answer === null || step.answer === "bad");
  return end < 0 ? Math.max(labelling.steps.length - 1, 0) : end;
}

/** Why the labelling is finished, or null while steps wait for an answer. */
export function finishReason(labelling: Labelling): "found_error" | "solution" | null {
  if (firstBad(labelling) !== null) return "found_error";
  return labelling.steps.every((step) => step.answer !== null) ? "solution" : null;
}

/** Steps with an answer that counts: none behind the first bad one. */
export function answeredCount(labelling: Labelling): number {
  const end = frontier(labelling);
  return labelling.steps[end]?.answer == null ? end : end + 1;
}

function withAnswer(labelling: Labelling, step: number, answer: Answer | null): Labelling {
  const event = { step, completion: 0, rating: answer === null ? null : RATINGS[answer], at_ms: labelling.activeMs };
  return {
    ...labelling,
    steps: labelling.steps.map((state, index) => (index === step ? { ...state, answer } : state)),
    history: [...labelling.history, event],
  };
}

function answerFocused(labelling: Labelling, answer: Answer): Labelling {
  const step = labelling.focus;
  const before = labelling.steps[step]?.answer ?? null;
  if (before === answer) return { ...labelling, focus: frontier(labelling) };
  const changed = withAnswer(labelling, step, answer);
  return { ...changed, changes: [...labelling.changes, { step, before }], focus: frontier(changed) };
}

function undo(labelling: Labelling): Labelling {
  const change = labelling.changes.at(-1);
  if (change === undefined) return labelling;
  return { ...withAnswer(labelling, change.step, change.before), changes: labelling.changes.slice(0, -1), focus: change.step };
}

function withStep(labelling: Labelling, step: number, change: (state: StepState) => StepState): Labelling {
  return { ...labelling, steps: labelling.steps.map((state, index) => (index === step ? change(state) : state)) };
}

export function reduce(labelling: Labelling, action: Action): Labelling {
  switch (action.type) {
    case "answer":
      return answerFocused(labelling, action.answer);
    case "undo":
      return undo(labelling);
    case "focus":
      return { ...labelling, focus: Math.min(Math.max(action.step, 0), frontier(labelling)) };
    case "note":
      return withStep(labelling, action.step, (state) => ({ ...state, note: action.note }));
    case "spend": {
      const spent = withStep(labelling, labelling.focus, (state) => ({ ...state, activeMs: state.activeMs + action.ms }));
      return { ...spent, activeMs: labelling.activeMs + action.ms };
    }
  }
}

function ratingsOf(steps: StepState[]): Draft["ratings"] {
  return steps.map((state, step) => ({
    step,
    completion: 0,
    text: "",
    rating: state.answer === null ? null : RATINGS[state.answer],
    is_flagged: state.answer === "unsure",
    is_chosen: true,
    is_human: false,
    note: state.note,
    active_ms: Math.round(state.activeMs),
  }));
}

/** Everything, also what is now behind the first bad step: a correction brings it back. */
export function toDraft(labelling: Labelling, version: number): Draft & { history: History } {
  return {
    version,
    ratings: ratingsOf(labelling.steps),
    solution_progress: "",
    finish_note: "",
    history: labelling.history,
    active_ms: Math.round(labelling.activeMs),
  };
}

/** Only the steps that have an answer and count: steps behind the first bad one stay unlabelled. */
export function toSubmission(labelling: Labelling, finish_reason: FinishReason, finish_note: string): Submission {
  const { ratings, history, active_ms } = toDraft(labelling, 0);
  return { ratings: ratings.slice(0, answeredCount(labelling)), solution_progress: "", finish_reason, finish_note, history, active_ms };
}
