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
  ["x_1 + y_{12}", "\\(x_1 + y_{12}\\)"],
  ["snake_case", "snake_case"],
  ["2^10", "2^10"],
  ["x^-1", "x^-1"],
  ["a _ b", "a _ b"],
])("%s", (answer, expected) => expect(withDelimiters(answer)).toBe(expected));
