import { expect, it } from "vitest";
import { around, ends } from "./History";

it("draws an interval as far as it reaches on each side", () => {
  const [below, above] = around(0.8, [0.72, 0.85]) ?? [];
  expect(below).toBeCloseTo(0.08);
  expect(above).toBeCloseTo(0.05);
});

it.each([
  [0.8, null],
  [null, [0.7, 0.9]],
])("draws no bar without a value or an interval", (value, interval) => {
  expect(around(value, interval)).toBeUndefined();
});

it("leaves room for all bars, and no more than from 0 to 1", () => {
  expect(ends([{ auc: 0.82, auc_error: [0.15, 0.1] }, { auc: 0.9 }], ["auc"])).toEqual([0.6, 1]);
  expect(ends([{ auc: 0.02, auc_error: 0.1 }], ["auc"])).toEqual([0, 0.2]);
});

it("shows the whole range where nothing is measured", () => {
  expect(ends([{ round: "0", auc: null }], ["auc"])).toEqual([0, 1]);
});
