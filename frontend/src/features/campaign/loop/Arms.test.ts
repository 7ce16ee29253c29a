import { expect, it } from "vitest";
import type { PolicyArms } from "@/api/types";
import { quotasOf } from "../selections/RoundFields";
import { answer } from "./Arms";

const arm = (labellings: number) => ({
  ...{ labellings, steps: 4 * labellings, problems: labellings },
  ...{ labels_per_hour: null, errors_per_hour: null },
});
const arms = (value: number, interval: [number, number] | null, is_enough = true): PolicyArms => ({
  ...{ policy: "convincing", rounds: 2, picked: arm(90), random: arm(40), is_enough },
  more: { labels_per_hour: null, errors_per_hour: { value, interval } },
});

it.each([
  [arms(4, [1, 7]), "yes, 4.0 more"],
  [arms(-4, [-7, -1]), "no, 4.0 fewer"],
  [arms(4, [-1, 9]), "can’t be told from chance"],
  [arms(4, [1, 7], false), "too few labels"],
  [arms(4, null), "too few labels"],
])("answers whether the choice is better than chance", (found, said) => {
  expect(answer(found).startsWith(said)).toBe(true);
  expect(answer(found)).toContain("90 labellings of 90 problems against 40 of 40");
});

it("reads quotas line by line, and keeps what the server has to refuse", () => {
  expect(quotasOf("Algebra: 40\nCounting: and more: 12.5 %\n\nhalf a line\nFive: 5.5.5\n")).toEqual({
    Algebra: 0.4,
    "Counting: and more": 0.125,
    "half a line": NaN,
    "Five: 5.5.5": NaN,
  });
});
