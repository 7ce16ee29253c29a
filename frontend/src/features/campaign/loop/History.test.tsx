import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Brought } from "@/api/types";
import { open } from "@/shared/page/staffPage.fixture";
import { RoundsTable } from "./RoundsTable";

const round = (number: number, step_auc: number | null, differences: Brought["differences"] = {}) =>
  ({
    ...{ round: String(number), number, step_auc, labellings: 9, status: "closed", model: null, differences },
    ...{ wrong_share: null, pool_wrong_share: null, mean_score: null, pool_mean_score: null, f1: null },
    ...{ step_auc_interval: null, f1_interval: null, best_of_n: null, best_of_n_interval: null },
    ...{ majority: null, majority_interval: null, steps: 900, problems: 60, is_enough: true, choices: null },
  }) as Brought;

it("sorts the rounds by their models' metrics", async () => {
  open("/phases/p?ordering=-step_auc", <RoundsTable rounds={[round(0, 0.7), round(1, null), round(2, 0.9)]} />);
  const numbers = () =>
    screen.getAllByRole("row").flatMap((row) => within(row).queryAllByRole("cell")[0]?.textContent ?? []);
  expect(numbers()).toEqual(["2", "0", "1"]);
  await userEvent.click(screen.getByRole("button", { name: "Round" }));
  expect([location.search, ...numbers()]).toEqual(["", "0", "1", "2"]);
});

it("says how much better a model judges than the one before", () => {
  const step_auc = { value: 0.027, low: -0.006, high: 0.06 };
  open("/phases/p", <RoundsTable rounds={[round(1, 0.8, { step_auc })]} />);
  expect(screen.getByText("+0.027 ± 0.033").title).toBe("Within the noise.");
});

it("shows no gain as clear where there are too few labels", () => {
  const step_auc = { value: 0.237, low: 0.024, high: 0.45 };
  open(
    "/phases/p",
    <RoundsTable rounds={[{ ...round(1, 0.72, { step_auc }), steps: 4, problems: 1, is_enough: false }]} />,
  );
  expect(screen.getByText("+0.237 ± 0.213").title).toBe("Too few labels to decide.");
  screen.getByText("4 steps");
  screen.getByText("too few to decide");
});
