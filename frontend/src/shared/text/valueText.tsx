import type { ByName, Change } from "@/api/types";
import { count, when } from "@/shared/words/format";
import { ratingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { meaningOf } from "@/shared/words/words";
import classes from "./valueText.module.css";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const SNAKE_CASE = /^[a-z]+(_[a-z]+)+$/;
const LISTED = 6;
/** The settings of runs and autopilots whose own name says too little. */
const NAMES = {
  stepmark: "Stepmark",
  commit: "Commit",
  python: "Python",
  torch: "PyTorch",
  transformers: "Transformers",
  device: "Device",
  base: "Base model",
  snapshot: "Snapshot",
  seed: "Seed",
  epochs: "Epochs",
  learning_rate: "Learning rate",
  batch_tokens: "Tokens per step",
  tokens_per_pass: "Tokens per pass",
  tokens_read: "Tokens read",
  optimiser_steps: "Optimiser steps",
  parameters: "Parameters",
  precision: "Precision",
  gradient_checkpointing: "Gradient checkpointing",
  reads_after: "Steps judged with their results",
  max_length: "Max length",
  lora_rank: "LoRA rank",
  patience: "Early stop after",
  heads: "Ensemble heads",
  warmup: "Warm-up",
  weight_decay: "Weight decay",
  clip: "Gradient clip",
  checkpoint_every: "Checkpoint every",
  pretraining: "Pre-training",
  aggregate: "Score of a solution",
  neutral_is_positive: "Neutral counts as right",
  window: "Window",
  resamples: "Resamples",
  size: "Solutions",
  wrong_share: "Share of wrong answers",
  is_fresh: "Leaves out what another phase has published",
  sets_suspects_aside: "Sets aside probable grader errors",
  overlap: "Labellings per task",
  most_rounds: "Rounds at most",
  most_labellings: "Labellings at most",
  patience_minutes: "Minutes that a job may wait for a worker",
  least_candidates: "Stops below this many picks",
  webhook_url: "Webhook",
  emails: "E-mail addresses",
};

/** True if a value is only an id, which is left out, as it means nothing to a reader. */
export function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}

/** A value of the audit log or of a run's settings, in words; many things as their number, a hash as its beginning. */
export function valueText(value: unknown, name = ""): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) && value >= 10_000 ? count(value) : String(value);
  if (Array.isArray(value)) return listText(value, name);
  if (typeof value === "object")
    return Object.entries(value)
      .filter(([, each]) => !isId(each))
      .map(([key, each]) => `${nameText(key)} ${valueText(each, key)}`)
      .join(", ");
  return wordText(value as string);
}

export function nameText(name: string): string {
  return meaningOf(NAMES, name) ?? name.replaceAll("_", " ");
}

/** Everything a run or an autopilot works with, by name: for `Facts`. */
export function factsIn(values: ByName<unknown>): { name: string; value: string }[] {
  return Object.entries(values)
    .filter(([, value]) => !isId(value))
    .map(([name, value]) => ({ name: nameText(name), value: valueText(value, name) }));
}

function listText(values: unknown[], name: string): string {
  if (values.length === 0) return "–";
  if (values.every(isId)) return count(values.length);
  const texts = values.map((value) => (name === "ratings" ? ratingText(value as number | null) : valueText(value)));
  return texts.length > LISTED ? `${texts.slice(0, 3).join(", ")} … (${texts.length})` : texts.join(", ");
}

function ratingText(rating: number | null): string {
  return strings.ratings[ratingWord(rating, true) ?? "unsure"];
}

function wordText(text: string): string {
  if (HASH.test(text)) return text.slice(0, 12);
  if (MOMENT.test(text)) return when(text);
  return meaningOf(strings.nav.roles, text) ?? (SNAKE_CASE.test(text) ? text.replaceAll("_", " ") : text);
}

/** The values in a line of the audit log: before, and now. */
export function Difference({ change }: { change: Change }) {
  const before = change.before as ByName<unknown>;
  const after = change.after as ByName<unknown>;
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = all.filter((name) => !isId(before[name]) && !isId(after[name]));
  const shown = (name: string) => {
    const now = valueText(after[name], name);
    return name in before ? `${valueText(before[name], name)} → ${now}` : now;
  };
  return (
    <dl className={classes.difference}>
      {names.map((name) => (
        <div key={name}>
          <dt>{nameText(name)}</dt>
          <dd>
            <bdi>{shown(name)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
