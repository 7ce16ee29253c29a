import type { TrainingRun } from "@/api/types";

const MOST_LETTERS = 100;
const NUMBERS = ["epochs", "seed", "lora_rank", "patience"] as const;

/** What the form has to hold to start the same training again: what was chosen, not what it came to. */
export function clonedFrom({ name, base, supervision, phases, labels, settings }: TrainingRun) {
  const numbers = Object.fromEntries(
    NUMBERS.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])),
  ) as Partial<Record<(typeof NUMBERS)[number], number>>;
  return {
    ...numbers,
    ...labels,
    phases,
    supervision,
    base,
    name: nextName(name),
    learning_rate: settings.learning_rate === undefined ? "" : String(settings.learning_rate),
    precision: settings.precision ?? ("" as const),
  };
}

/** `prm`, `prm (2)`, `prm (3)` */
export function nextName(name: string): string {
  const [, stem = name, number = "1"] = /^(.*) \((\d+)\)$/.exec(name) ?? [];
  const ending = ` (${Number(number) + 1})`;
  return stem.slice(0, MOST_LETTERS - ending.length) + ending;
}
