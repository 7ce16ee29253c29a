import { expect, it } from "vitest";
import { groupsOf } from "./fields";

const namesOf = (kind: "solutions" | "alternatives") =>
  groupsOf(kind).flatMap(([, fields]) => fields.map(([name]) => name));

it("leaves out what a kind of phase has no use for, and its empty groups", () => {
  expect(namesOf("solutions")).toContain("pass_mark");
  expect(namesOf("alternatives")).not.toContain("pass_mark");
  expect(namesOf("alternatives")).not.toContain("asks_why_unsure");
  expect(namesOf("alternatives")).toContain("alternatives_per_step");
  expect(namesOf("alternatives")).toEqual(
    expect.arrayContaining(["error_kinds", "asks_error_words", "asks_root_cause"]),
  );
  expect(groupsOf("alternatives").map(([group]) => group)).not.toContain("Screening");
});
