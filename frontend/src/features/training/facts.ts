import type { TrainingRun } from "@/api/types";
import { count } from "@/shared/format";
import { isId, nameText, valueText } from "@/shared/valueText";
import { says } from "./strings";

/** A row of the comparison: a value for each run, or the metric that is measured of each. */
export interface Fact {
  name: string;
  values: string[];
  metric?: string;
  differs: boolean;
}

const COUNTS = ["labellings", "rulings", "labels", "positive", "neutral", "negative"] as const;
const METRICS = ["step_auc", "f1", "accuracy", "loss", "calibration_error"] as const;
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
  "tokens_read",
  "optimiser_steps",
  "parameters",
];
const LAST = ["device", "torch", "transformers", "stepmark", "commit", "python"];
const APART = new Set(["snapshot"]);

/** What runs were made of and what came of them; `differs` marks what is not the same for all. */
export function factsOf(runs: TrainingRun[]): Fact[] {
  const settings: Record<string, unknown>[] = runs.map(({ base, settings: chosen, resolved }) => ({
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
  const held = (run: TrainingRun, name: string) => (run.snapshot?.counts as Record<string, number> | undefined)?.[name];
  return [
    fact(
      says.supervision,
      runs.map((run) => says.supervisions[run.supervision]),
    ),
    ...ordered.map((name) =>
      fact(
        nameText(name),
        settings.map((each) =>
          name === "base" && !each[name] ? says.automatic : isId(each[name]) ? "–" : valueText(each[name], name),
        ),
      ),
    ),
    fact(
      "Snapshot",
      runs.map((run) => run.snapshot?.labels_hash.slice(0, 12) ?? "–"),
    ),
    ...COUNTS.filter((name) => runs.some((run) => held(run, name) !== undefined)).map((name) =>
      fact(
        says.counts[name],
        runs.map((run) => {
          const number = held(run, name);
          return number === undefined ? "–" : count(number);
        }),
      ),
    ),
    ...METRICS.map((metric) => ({ name: says.metrics[metric], values: [], metric, differs: true })),
  ];
}

function fact(name: string, values: string[]): Fact {
  const known = values.filter((value) => value !== "–" && value !== says.automatic); // what was not kept is no difference
  return { name, values, differs: new Set(known).size > 1 };
}
