import { expect, it } from "vitest";
import { splitAnswer } from "./mathSegments";

it.each([
  ["\\frac{5}{6}", true],
  ["x^2", true],
  ["18", false],
  ["$18", false],
  ["$\\frac12$", true],
  ["\\(x^2\\)", true],
  ["blue eggs", false],
  ["x_1 + y_{12}", true],
  ["snake_case", false],
  ["2^10", false],
  ["x^-1", false],
  ["a _ b", false],
])("%s", (answer, isFormula) => {
  const [first, ...more] = splitAnswer(answer);
  expect([first?.kind === "math", more]).toEqual([isFormula, []]);
  expect(first && "source" in first ? first.source : first?.text).toBe(answer);
});
