import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PhaseSettings } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import QualityTab, { whyNone } from "./QualityTab";

const CHOSEN = { gold_set: "sums", gold_rate: 0.1 };
const ROUND = { number: 2, gold_set: "sums", gold_hidden: 0, gold_in_set: 3 };

it.each([
  { gold_set: "", gold_rate: 0.1 },
  { gold_set: "sums", gold_rate: 0 },
])("asks for a gold set and its share where either is missing", (settings) => {
  expect(whyNone(settings, ROUND)).toContain("Choose a gold set and its share");
});

it("says that no gold could be hidden, and what to do", () => {
  expect(whyNone(CHOSEN, ROUND)).toBe(
    "Gold set “sums” has 3 solutions, but none could be hidden in round 2: it would stand out among the tasks, or people have had it before. Add gold on solutions like those of the round.",
  );
});

it("distinguishes gold that nobody has labelled from gold that is not hidden yet", () => {
  expect(whyNone(CHOSEN, { ...ROUND, gold_hidden: 2 })).toMatch(/^Round 2 hides 2 of the 3 solutions of “sums”\./);
  expect(whyNone(CHOSEN, { ...ROUND, gold_set: "" })).toBe("Gold of “sums” is hidden from the next round on.");
  expect(whyNone(CHOSEN)).toBe("Gold of “sums” is hidden from the next round on.");
});

const QUALITY = {
  ...{ tasks: 4, outcomes: { exact: 3, late: 1 }, accuracy: 0.75, low: 0.3, high: 0.95 },
  ...{ step_agreement: 0.9, step_agreement_interval: [0.7, 0.97], is_drifting: false },
  ...{ kinds: 3, kind_agreement: 2 / 3, kind_agreement_interval: [0.2, 0.94] },
};

it.each([
  [["c"], "67 %"],
  [[], null],
])("shows how often gold's kind of error is named where the phase asks for kinds: %s", async (kinds, shown) => {
  const member = { id: "m1", username: "ada", is_paused: false, quality: QUALITY };
  serve({ "/api/phases/f1/members/": { count: 1, next: null, previous: null, results: [member] } });
  const phase = { id: "f1", error_kinds: kinds.map((key) => ({ key, name: key, parent: "", help: "" })) };
  open("/phases/f1/quality", <QualityTab phase={phase as unknown as PhaseSettings} />);
  const table = within(await screen.findByRole("table", { name: "On hidden gold" }));
  expect(table.queryByRole("columnheader", { name: "Kinds of error" }) !== null).toBe(shown !== null);
  const cell = table.queryByTitle("Of 3 mistakes of which both name a kind");
  expect(cell?.textContent.startsWith(shown ?? "") ?? false).toBe(shown !== null);
});
