import { expect, it } from "vitest";
import { finished, rated } from "./ruling";

it("rates nothing after the first Bad step", () => {
  expect(rated([1, 1, 0], 1, -1)).toEqual([1, -1, null]);
  expect(rated([1, -1, null], 1, 0)).toEqual([1, 0, null]);
});

it("sends nothing while a step that counts has no rating: null is not Okay", () => {
  expect(finished([null, null])).toBeNull();
  expect(finished([1, null, -1])).toBeNull();
  expect(finished([1, 0, null])).toBeNull();
  expect(finished([1, -1, null])).toEqual([1, -1]);
  expect(finished([1, 0, 1])).toEqual([1, 0, 1]);
});
