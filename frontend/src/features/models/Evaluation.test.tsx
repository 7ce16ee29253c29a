import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { EvaluationMetrics, EvaluationRun } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { Evaluation } from "./Evaluation";

const METRICS: EvaluationMetrics = {
  held_out: { step_auc: 0.763, accuracy: 0.7 },
  problems: 47,
  intervals: { step_auc: [0.69, 0.836] },
  differences: {
    step_auc: { value: -0.038, low: -0.112, high: 0.036 },
    accuracy: { value: 0.1, low: 0.05, high: 0.15 },
  },
  calibration: [{ low: 0.1, high: 0.2, count: 3, mean_probability: 0.15, frequency: 1 / 3, interval: [0.06, 0.79] }],
};

function show(
  metrics: EvaluationMetrics,
  baseline_metrics: EvaluationMetrics = { held_out: { step_auc: 0.801, accuracy: 0.6 } },
) {
  serve({ "/api/reward-models/": { next: null, previous: null, results: [{ id: "1", name: "demo-1" }] } });
  open(
    "/models/2",
    <Evaluation run={{ baseline: "1", metrics, baseline_metrics, shortage: "" } as unknown as EvaluationRun} />,
  );
}

const cellsOf = (name: string) =>
  within(screen.getByRole("row", { name: new RegExp(`^${name} [0-9–]`) }))
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

it("names the model that was current then", async () => {
  show(METRICS);
  await screen.findByText("demo-1");
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Metric",
    "This one",
    "demo-1",
    "Difference",
  ]);
});

it("says how far each figure may be off, and which differences are clear", () => {
  show(METRICS);
  expect(cellsOf("Step AUC")).toEqual(["0.763 0.690 to 0.836", "0.801", "−0.038 ± 0.074"]);
  expect(screen.getByText("−0.038 ± 0.074").title).toBe("Within the noise.");
  expect(screen.getByText("+0.100 ± 0.050").title).toBe("The interval excludes 0.");
  screen.getByText(/of 47 problems/);
});

it.each([
  ["accuracy", -0.1, true],
  ["accuracy", 0.1, false],
  ["loss", -0.1, false],
  ["loss", 0.1, true],
  ["calibration_error", 0.1, true],
])("shows in red what is clearly worse: %s by %d", (metric, value, isWorse) => {
  const differences = { [metric]: { value, low: value - 0.05, high: value + 0.05 } };
  show({ ...METRICS, held_out: { [metric]: 0.5 }, differences });
  expect(
    screen
      .getByText(/0\.100 ± 0\.050/)
      .getAttribute("style")
      ?.includes("bad-text") ?? false,
  ).toBe(isWorse);
});

it("shows an evaluation from before intervals were kept", () => {
  show({ held_out: { step_auc: 0.763 } });
  expect(cellsOf("Step AUC")).toEqual(["0.763", "0.801", "–"]);
});

it("has a row for each tenth of the probabilities, empty ones too", async () => {
  show(METRICS, {});
  await userEvent.click(screen.getByRole("button", { name: "Table: Calibration" }));
  const rows = within(screen.getByRole("region", { name: "Calibration" }))
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toHaveLength(11);
  expect(rows[1]).toEqual(["0.0–0.1", "–", "–", "–", "–", "0"]);
  expect(rows[2]).toEqual(["0.1–0.2", "0.150", "0.333", "0.060", "0.790", "3"]);
});
