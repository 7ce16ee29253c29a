import { expect, it } from "vitest";
import { spread, withEnds, withReach } from "./intervals";

const reachOf = (value: number | null, interval: [number, number] | null) =>
  withReach([spread("auc", value, interval)], ["auc"])[0]?.auc_reach;

it("draws an interval as far as it reaches on each side", () => {
  expect(reachOf(0.8, [0.72, 0.85])).toEqual([expect.closeTo(0.08), expect.closeTo(0.05)]);
});

it.each([
  [0.8, null],
  [null, [0.7, 0.9]],
] as const)("draws no bar without a value or an interval", (value, interval) => {
  expect(reachOf(value, interval && [...interval])).toBeUndefined();
});

it("has a column for each of a row's cells", () => {
  const keys = withEnds({ key: "auc", label: "AUC" }).map(({ key }) => key);
  expect(keys).toEqual(Object.keys(spread("auc", 0.8, [0.7, 0.9])));
});
