import { expect, it } from "vitest";
import { withDelimiters } from "./mathSegments";

it.each([
  ["\\frac{5}{6}", "\\(\\frac{5}{6}\\)"],
  ["x^2", "\\(x^2\\)"],
  ["18", "18"],
  ["$18", "$18"],
  ["$\\frac12$", "$\\frac12$"],
  ["\\(x^2\\)", "\\(x^2\\)"],
  ["blue eggs", "blue eggs"],
])("%s", (answer, expected) => expect(withDelimiters(answer)).toBe(expected));
