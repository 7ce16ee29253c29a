import { expect, it } from "vitest";
import { ProblemError } from "@/api/client";
import { errorBeside, errorOf } from "./fieldErrors";

const refusal = new ProblemError(400, "name: Taken.", "invalid", {
  name: ["Taken."],
  rows: [{}, { size: ["Too small."] }],
});

it("finds what was said about a field, however deep", () => {
  expect(errorOf(refusal)("name")).toBe("Taken.");
  expect(errorOf(refusal)("rows")).toBe("Too small.");
  expect(errorOf(refusal)("other")).toBeUndefined();
  expect(errorOf(null)("name")).toBeUndefined();
});

it("leaves the whole error out only where every field shows its part", () => {
  expect(errorBeside(refusal, ["name", "rows"])).toBeNull();
  expect(errorBeside(refusal, ["name"])).toBe(refusal);
  const other = new ProblemError(409, "Closed.", "closed");
  expect(errorBeside(other, ["name"])).toBe(other);
});
