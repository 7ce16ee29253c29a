import { expect, it } from "vitest";
import { placeIn } from "@/shared/text/placeIn";
import { nameOfKind, topKinds, wordsAt } from "./mistakes";

const KINDS = [
  { key: "c", name: "Calculation", parent: "", help: "" },
  { key: "1", name: "Arithmetic", parent: "c", help: "" },
  { key: "2", name: "Signs", parent: "1", help: "" },
  { key: "d", name: "Dead end", parent: "", help: "" },
];

it("groups kinds by the one at the top", () => {
  expect(topKinds(KINDS).map(([top, below]) => [top.key, below.map(({ key }) => key)])).toEqual([
    ["c", ["1", "2"]],
    ["d", []],
  ]);
});

it("names a kind with those above it; one that is gone, by its key", () => {
  expect(nameOfKind(KINDS, "2")).toBe("Calculation: Arithmetic: Signs");
  expect(nameOfKind(KINDS, "x")).toBe("X");
});

it("counts characters as the server does", () => {
  const text = "𝑥\r\n+ 𝑦";
  const asInAField = text.replace("\r\n", "\n");
  const start = placeIn(text, asInAField.indexOf("𝑦"));
  expect(start).toBe(5);
  expect(wordsAt(text, [start, start + 1])).toBe("𝑦");
});
