import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ReplayPoint } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { PolicyReplay, replayRows } from "./PolicyReplay";

async function start(replay_obstacle: string): Promise<HTMLButtonElement> {
  serve();
  open("/models/m", <PolicyReplay model={{ id: "m", phase: "p", replay_obstacle }} />);
  return screen.findByRole("button", { name: "Compare policies" });
}

it("can be started", async () => {
  expect((await start("")).disabled).toBe(false);
  screen.getByText(
    "Trains a model for each policy at five sizes, twice: it takes about as long as 50 smaller trainings.",
  );
});

it("says beside the button why it can't be started", async () => {
  expect((await start("There are no held-out labels to measure on.")).disabled).toBe(true);
  screen.getByText("There are no held-out labels to measure on.");
});

const point = (policy: ReplayPoint["policy"], seed: number, labels: number, step_auc: number): ReplayPoint => ({
  policy,
  seed,
  labels,
  step_auc,
  labellings: labels / 4,
});

it("averages the seeds of each policy at each budget", () => {
  const rows = replayRows([
    point("uniform", 1, 100, 0.6),
    point("uniform", 1, 200, 0.7),
    point("convincing", 1, 102, 0.6),
    point("convincing", 1, 202, 0.8),
    point("uniform", 2, 100, 0.5),
  ]);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ labels: 101, uniform: 0.55, uniform_low: 0.5, uniform_high: 0.6, convincing: 0.6 });
  expect(rows[1]).toMatchObject({ labels: 201, uniform: 0.7, convincing: 0.8 });
  expect(rows[1]).not.toHaveProperty("uncertainty");
});

it("has no rows before anything is measured", () => {
  expect(replayRows([])).toEqual([]);
});
