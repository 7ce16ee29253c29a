import type { ByName, SupervisionEnum, TrainingRun } from "@/api/types";
import { count } from "@/shared/words/format";
import { isId, nameText, valueText } from "@/shared/text/valueText";

/** A row of the comparison: a value for each run, or the metric that is measured of each. */
export interface Fact {
  name: string;
  values: string[];
  metric?: string;
  differs: boolean;
}

export const SUPERVISIONS = { process: "Ratings of steps (PRM)", outcome: "Final answers (ORM)" } satisfies Record<
  SupervisionEnum,
  string
>;
const AUTOMATIC = "Automatic";
const COUNTS = {
  labellings: "Labellings",
  rulings: "Rulings",
  labels: "Labels",
  positive: "Great",
  neutral: "Okay",
  negative: "Bad",
};
const METRICS = {
  step_auc: "Held-out step AUC",
  f1: "Held-out first-error F1",
  accuracy: "Held-out accuracy",
  loss: "Held-out loss",
  calibration_error: "Calibration error",
};
// Settings first, then the code and the machine; what a run has beyond these comes after them.
const ORDER = [
  "base",
  "epochs",
  "learning_rate",
  "batch_tokens",
  "precision",
  "max_length",
  "seed",
  "lora_rank",
  "patience",
  "heads",
  "tokens_read",
  "optimiser_steps",
  "parameters",
];
const LAST = ["device", "torch", "transformers", "stepmark", "commit", "python"];
const APART = new Set(["snapshot"]);

/** The facts of runs: what they were made of, and what came of them; `differs` marks what is not the same for all. */
export function factsOf(runs: TrainingRun[]): Fact[] {
  const settings: ByName<unknown>[] = runs.map(({ base, settings: chosen, resolved }) => ({
    base,
    ...chosen,
    ...resolved,
  }));
  const names = new Set(settings.flatMap((each) => Object.keys(each)));
  const ordered = [
    ...ORDER,
    ...[...names].filter((name) => !ORDER.includes(name) && !LAST.includes(name)),
    ...LAST,
  ].filter((name) => names.has(name) && !APART.has(name));
  const held = (run: TrainingRun, name: string) => (run.snapshot?.counts as ByName<number> | undefined)?.[name];
  const row = (name: string, valueOf: (run: TrainingRun, at: number) => string): Fact => {
    const values = runs.map(valueOf);
    const known = values.filter((value) => value !== "–" && value !== AUTOMATIC); // what was not kept is no difference
    return { name, values, differs: new Set(known).size > 1 };
  };
  return [
    row("Phase", ({ phase_name }) => phase_name ?? "–"),
    row("Learns from", ({ supervision }) => SUPERVISIONS[supervision]),
    ...ordered.map((name) =>
      row(nameText(name), (_, at) => {
        const value = settings[at]?.[name];
        return name === "base" && !value ? AUTOMATIC : isId(value) ? "–" : valueText(value, name);
      }),
    ),
    row("Snapshot", ({ snapshot }) => snapshot?.labels_hash.slice(0, 12) ?? "–"),
    ...Object.entries(COUNTS)
      .filter(([key]) => runs.some((run) => held(run, key) !== undefined))
      .map(([key, name]) =>
        row(name, (run) => {
          const number = held(run, key);
          return number === undefined ? "–" : count(number);
        }),
      ),
    ...Object.entries(METRICS).map(([metric, name]) => ({ name, values: [], metric, differs: true })),
  ];
}
