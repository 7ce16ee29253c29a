import type { Draft } from "@/api/types";
import { RATINGS, ratingWord, type RatingWord } from "@/shared/ratings";

/** What a phase may ask for beside the first bad step: alternatives, critiques, how far the solution had got. Pure. */
export type Progress = "none" | "some" | "most" | "almost";
export type OfferKind = "alternatives" | "critiques";
export type Kind = OfferKind | "progress";
export type Asked = Record<Kind, boolean>;

/** One thing to answer. `index` counts within its kind. */
export interface Part {
  kind: Kind;
  index: number;
}

export interface Candidate {
  text: string;
  answer: RatingWord | null;
  activeMs: number;
}

export interface Beside {
  alternatives: Candidate[];
  critiques: Candidate[];
  ownCritique: string;
  progress: Progress | null;
  /** Offers that have come, or failed to. */
  settled: OfferKind[];
  /** What the annotator would not wait for. */
  skipped: OfferKind[];
}

export const NOTHING_ASKED: Asked = { alternatives: false, critiques: false, progress: false };
/** The keys of the four ratings, in the same order. */
export const PROGRESS_OF: Record<RatingWord, Progress> = { great: "none", okay: "some", bad: "most", unsure: "almost" };

export function begin(): Beside {
  return { alternatives: [], critiques: [], ownCritique: "", progress: null, settled: [], skipped: [] };
}

export function isSame(one: Part | null, other: Part | null): boolean {
  return one?.kind === other?.kind && one?.index === other?.index;
}

/** One's own critique stands for those that were offered; what is skipped is not needed either. */
function isNeeded(state: Beside, kind: Kind): boolean {
  if (kind === "progress") return true;
  return !state.skipped.includes(kind) && !(kind === "critiques" && state.ownCritique.trim() !== "");
}

/** In the order in which the keys go through them. What has not come yet has a place too, so that no key slips to the next. */
export function parts(state: Beside, asked: Asked): Part[] {
  const offered = (["alternatives", "critiques"] as const)
    .filter((kind) => asked[kind])
    .flatMap((kind) => {
      const isAwaited = isNeeded(state, kind) && !state.settled.includes(kind);
      return Array.from({ length: state[kind].length || Number(isAwaited) }, (_, index): Part => ({ kind, index }));
    });
  return asked.progress ? [...offered, { kind: "progress", index: 0 }] : offered;
}

export function isHere(state: Beside, { kind, index }: Part): boolean {
  return kind === "progress" || index < state[kind].length;
}

export function valueOf(state: Beside, { kind, index }: Part): RatingWord | Progress | null {
  return kind === "progress" ? state.progress : (state[kind][index]?.answer ?? null);
}

export function firstOpen(state: Beside, asked: Asked): Part | null {
  return parts(state, asked).find((part) => isNeeded(state, part.kind) && valueOf(state, part) === null) ?? null;
}

function withCandidate(state: Beside, { kind, index }: Part, change: (candidate: Candidate) => Candidate): Beside {
  if (kind === "progress") return state;
  return { ...state, [kind]: state[kind].map((candidate, at) => (at === index ? change(candidate) : candidate)) };
}

export function answer(state: Beside, part: Part, value: RatingWord | Progress | null): Beside {
  if (part.kind === "progress") return { ...state, progress: value as Progress | null };
  return withCandidate(state, part, (candidate) => ({ ...candidate, answer: value as RatingWord | null }));
}

export function spend(state: Beside, part: Part, ms: number): Beside {
  return withCandidate(state, part, (candidate) => ({ ...candidate, activeMs: candidate.activeMs + ms }));
}

/** What was offered before stays, in its place and with its rating. */
export function offer(state: Beside, kind: OfferKind, texts: readonly string[], isPending: boolean): Beside {
  const fresh = texts.filter((text) => state[kind].every((known) => known.text !== text));
  const settled = state.settled.filter((other) => other !== kind);
  return {
    ...state,
    [kind]: [...state[kind], ...fresh.map((text): Candidate => ({ text, answer: null, activeMs: 0 }))],
    settled: isPending ? settled : [...settled, kind],
  };
}

export function ratingOf(given: RatingWord | null, activeMs: number) {
  return {
    rating: given === null ? null : RATINGS[given],
    is_flagged: given === "unsure",
    is_human: false,
    active_ms: Math.round(activeMs),
  };
}

/** Completion 0 is the solution's own step; the alternatives count from 1. */
export function ratings({ alternatives }: Beside, step: number): Draft["ratings"] {
  return alternatives.map((item, index) => ({
    ...ratingOf(item.answer, item.activeMs),
    step,
    completion: index + 1,
    text: item.text,
    is_chosen: false,
    note: "",
  }));
}

type Critiques = { text: string; rating: 1 | 0 | -1 | null; is_human: boolean }[];

export function critiques({ critiques: offered, ownCritique }: Beside): Critiques {
  const rated = offered.map(({ text, answer: given }) => ({
    text,
    rating: given === null ? null : RATINGS[given],
    is_human: false,
  }));
  return ownCritique.trim() === "" ? rated : [...rated, { text: ownCritique.trim(), rating: null, is_human: true }];
}

/** From a draft, or from a labelling that is being revised. */
export function restore(draft: Draft, bad: number | null): Partial<Record<number, Beside>> {
  const restored: Partial<Record<number, Beside>> = {};
  for (const item of draft.ratings.filter(({ completion }) => completion > 0)) {
    const state = (restored[item.step] ??= begin());
    state.alternatives.push({
      text: item.text,
      answer: ratingWord(item.rating, item.is_flagged),
      activeMs: item.active_ms,
    });
  }
  if (bad === null) return restored;
  const all = draft.critiques ?? [];
  restored[bad] = {
    ...(restored[bad] ?? begin()),
    critiques: all
      .filter((item) => !item.is_human)
      .map(({ text, rating }) => ({ text, answer: ratingWord(rating ?? null, false), activeMs: 0 })),
    ownCritique: all.find((item) => item.is_human)?.text ?? "",
    progress: draft.solution_progress === "" ? null : draft.solution_progress,
  };
  return restored;
}
