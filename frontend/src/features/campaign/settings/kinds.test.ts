import { expect, it } from "vitest";
import { kindsFrom, kindsText } from "./kinds";

const KINDS = [
  { key: "r", name: "Reading", parent: "", help: "" },
  { key: "c", name: "Calculation", parent: "", help: "" },
  { key: "1", name: "Arithmetic", parent: "c", help: "A number: wrong." },
  { key: "2", name: "Signs", parent: "1", help: "" },
  { key: "3", name: "Algebra", parent: "c", help: "" },
  { key: "g", name: "Gibberish", parent: "", help: "" },
];

it("writes a kind a line, those of another below it, and reads them back", () => {
  const text = kindsText(KINDS);
  expect(text.split("\n").slice(0, 4)).toEqual([
    "r Reading",
    "c Calculation",
    "  1 Arithmetic: A number: wrong.",
    "    2 Signs",
  ]);
  expect(kindsFrom(text)).toEqual(KINDS);
});

it("leaves out blank lines, and takes any indent", () => {
  expect(kindsFrom("\n a One\n\n\tb Two: Why\n")).toEqual([
    { key: "a", name: "One", parent: "", help: "" },
    { key: "b", name: "Two", parent: "", help: "Why" },
  ]);
  expect(kindsFrom("")).toEqual([]);
});

it("passes bad lines on for the server to refuse", () => {
  expect(kindsFrom("key")).toEqual([{ key: "key", name: "", parent: "", help: "" }]);
});
