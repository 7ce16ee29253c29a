import { expect, it } from "vitest";
import { isId, valueText } from "./valueText";

const ID = "0b7c3f6e-9d8a-4c51-8a53-0f5d1c2b3a4e";

it.each([
  [null, "", "–"],
  [[1, 0, -1, null], "ratings", "Great, Okay, Bad, Unsure"],
  [[1, 1, 1, 1, 1, 1, -1], "ratings", "Great, Great, Great … (7)"],
  [[ID, ID], "solutions", "2"],
  [["ada", "ben"], "people", "ada, ben"],
  [true, "is_fresh", "yes"],
  ["ml_staff", "role", "ML staff"],
  ["bad_problem", "reason", "bad problem"],
  ["The label_1 of x", "note", "The label_1 of x"],
  [{ most_picks: 3, model: ID }, "settings", "most picks 3"],
  ["a".repeat(64), "hash", "a".repeat(12)],
  [12345, "tokens", "12,345"],
])("tells of %j, %s in words", (value, name, text) => {
  expect(valueText(value, name)).toBe(text);
});

it("knows an id", () => {
  expect([isId(ID), isId("ada"), isId(3)]).toEqual([true, false, false]);
});
