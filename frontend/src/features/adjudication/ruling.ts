import type { OutcomeEnum, Ruling, TaskCase } from "@/api/types";
import type { PageKeys } from "@/rating/keys/pageKeys";
import type { AsksOfMistakes } from "@/rating/words/asks";
import type { Mistake } from "@/rating/trajectory/places";
import type { Ratings } from "@/rating/useRatedSolution";
import { wordsOf } from "@/shared/words/words";

export type Opinion = TaskCase["labellings"][number];

/** The outcomes of a ruling, with their keys and effects. */
export const OUTCOMES = {
  ratings: {
    name: "Settle the ratings",
    keys: ["r", "s"],
    effect:
      "The ruling stands for this task in every training and export, in place of the labellings. Those stay as they are.",
  },
  gold: {
    name: "Make gold",
    keys: ["m", "q"],
    effect:
      "The ruling stands for this task in every training and export, and its ratings become a version of gold on this solution.",
  },
  verdict: {
    name: "Settle the verdict",
    keys: ["v", "e"],
    effect: "The solution’s final answer gets the verdict of your choice.",
  },
  fix: {
    name: "Fix the problem",
    keys: ["f", "t"],
    effect:
      "A new version takes its place in the pool and in open rounds, and its solutions are graded again. What people saw stays with their labels.",
  },
  dismiss: { name: "Dismiss", keys: ["x", "0"], effect: "Nothing changes. A newer labelling reopens it." },
} satisfies Record<OutcomeEnum, { name: string; keys: string[]; effect: string }>;
export type Outcome = OutcomeEnum;

export const RULING_KEYS: PageKeys<Outcome | "note"> = [
  ...wordsOf(OUTCOMES).map((command) => ({
    command,
    keys: OUTCOMES[command].keys,
    says: OUTCOMES[command].name,
  })),
  { command: "note", keys: ["n", "w"], says: "Note" },
];

/** A person's statements about the solution's own steps. */
export function ownSteps({ completions }: Opinion, steps: number) {
  const own = completions.filter(({ completion }) => completion === 0);
  return Array.from({ length: steps }, (_, step) => own.find((each) => each.step === step));
}

/** A person's ratings of the solution's own steps. */
export function ratingsOf(opinion: Opinion, steps: number): Ratings {
  return ownSteps(opinion, steps).map((own) => own?.rating ?? null);
}

/** A ruling's statements about errors, as far as the phase asks for them: people may have been asked for more. */
export function errorsOf(asks: AsksOfMistakes, mistakes: readonly Mistake[]): Partial<Ruling> {
  const isKnown = (kind: string) => asks.error_kinds.some(({ key }) => key === kind);
  return {
    ...(asks.error_kinds.length > 0 && { error_kinds: mistakes.map(({ kind }) => (isKnown(kind) ? kind : "")) }),
    ...(asks.asks_error_words && { error_words: mistakes.map(({ span }) => span && [...span]) }),
    ...(asks.asks_root_cause && { root_causes: mistakes.map(({ rootCause }) => rootCause) }),
  };
}

/** The final result by all people who say one; empty if they differ. */
export function agreedResult({ labellings }: TaskCase): Opinion["result"] {
  const [said = "", ...others] = new Set(labellings.flatMap(({ result }) => result || []));
  return others.length > 0 ? "" : said;
}

/** The annotator's name; “Person A” and so on while the case waits. */
export function whoOf(task: TaskCase, index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return task.labellings[index]?.annotator ?? (task.is_waiting ? `Person ${letter}` : "Somebody");
}

/** The steps at which a text got different ratings, from people or from the experts' gold. */
export function differingSteps({ labellings, gold, solution }: TaskCase): number[] {
  const said = new Map<string, Set<string>>();
  const hear = (step: number, text: string | undefined, rating: string) => {
    const key = `${step} ${text ?? ""}`;
    said.set(key, (said.get(key) ?? new Set()).add(rating));
  };
  for (const { completions } of labellings)
    for (const { step, text, rating, is_flagged } of completions)
      hear(step, text, is_flagged ? "unsure" : String(rating));
  gold?.ratings.forEach((rating, step) => hear(step, solution.steps[step], String(rating)));
  const steps = [...said].flatMap(([key, ratings]) => (ratings.size > 1 ? [parseInt(key, 10)] : []));
  return [...new Set(steps)].sort((a, b) => a - b);
}
