import { expect, it } from "vitest";
import type { TrainingRun } from "@/api/types";
import { factsOf } from "./facts";

const run = (resolved: Record<string, unknown>, more: object = {}) =>
  ({
    supervision: "process",
    base: "",
    settings: { epochs: 2 },
    resolved,
    snapshot: { labels_hash: "a".repeat(64), counts: { labels: 1200 } },
    ...more,
  }) as unknown as TrainingRun;
const named = (runs: TrainingRun[], name: string) => factsOf(runs).find((fact) => fact.name === name);

it("marks what differs between three, and only that", () => {
  const runs = [
    run({ learning_rate: 0.001, seed: 0, device: "cpu" }),
    run({ learning_rate: 0.001, seed: 1, device: "cpu" }),
    run({ learning_rate: 0.001, seed: 0, device: "cpu" }),
  ];
  expect(named(runs, "Seed")).toEqual({ name: "Seed", values: ["0", "1", "0"], differs: true });
  expect(named(runs, "Learning rate")).toMatchObject({ values: ["0.001", "0.001", "0.001"], differs: false });
  expect(
    factsOf(runs)
      .filter(({ differs, metric }) => differs && !metric)
      .map(({ name }) => name),
  ).toEqual(["Seed"]);
});

it("shows resolved values of automatic settings; a missing value is no difference", () => {
  const [first, second] = [run({ epochs: 2, base: "base-12ab", tokens_read: 1234567, max_length: 512 }), run({})];
  expect(named([first], "Base model")?.values).toEqual(["base-12ab"]);
  expect(named([first], "Tokens read")?.values).toEqual(["1,234,567"]);
  expect(named([first, second], "Base model")?.values).toEqual(["base-12ab", "Automatic"]);
  expect(named([first, second], "Max length")).toMatchObject({ values: ["512", "–"], differs: false });
});

it("lists all metrics", () => {
  expect(factsOf([run({})]).flatMap(({ metric }) => metric ?? [])).toEqual([
    "step_auc",
    "f1",
    "accuracy",
    "loss",
    "calibration_error",
  ]);
});
