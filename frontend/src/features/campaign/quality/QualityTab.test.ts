import { expect, it } from "vitest";
import { whyNone } from "./QualityTab";

const CHOSEN = { gold_set: "sums", gold_rate: 0.1 };
const ROUND = { number: 2, gold_set: "sums", gold_hidden: 0, gold_in_set: 3 };

it.each([
  { gold_set: "", gold_rate: 0.1 },
  { gold_set: "sums", gold_rate: 0 },
])("asks for a gold set and its share where either is missing", (settings) => {
  expect(whyNone(settings, ROUND)).toContain("Choose a gold set and its share");
});

it("says that none could be hidden, and what to do", () => {
  expect(whyNone(CHOSEN, ROUND)).toBe(
    "Gold set “sums” has 3 solutions, but none could be hidden in round 2: it would stand out among the tasks, or people have had it before. Add gold on solutions like those of the round.",
  );
});

it("tells gold that nobody has had from gold that is not there", () => {
  expect(whyNone(CHOSEN, { ...ROUND, gold_hidden: 2 })).toMatch(/^Round 2 hides 2 of the 3 solutions of “sums”\./);
  expect(whyNone(CHOSEN, { ...ROUND, gold_set: "" })).toBe("Gold of “sums” is hidden from the next round on.");
  expect(whyNone(CHOSEN)).toBe("Gold of “sums” is hidden from the next round on.");
});
