import { describe, expect, it } from "vitest";
import { splitMath } from "./mathSegments";

function mathIn(text: string): string[] {
  return splitMath(text).flatMap((segment) => (segment.kind === "math" ? [segment.text] : []));
}

describe("money is not mathematics", () => {
  it.each([
    "She sells them for $2 per egg so 9 * 2 = $18 every day.",
    "It costs $2-$3 each.",
    "He had $5, she had €3 and US$ total.",
    "$10/$20 is a half, ($5)+($6) is $11.",
    "Janet makes 9 * 2 = $<<9*2=18>>18 and spends $5.",
    "The price went from $80,000 to $130,000 by 2020.",
    "A: $18\n\nB: 5$",
    "He paid $5 and she paid 3$ more.",
    "$120 was saved, then $30 spent on food",
    "Costs \\$4 and \\$5",
    "Total: $ 5 + 6 $",
  ])("%s", (text) => {
    expect(mathIn(text)).toEqual([]);
    expect(splitMath(text)).toEqual([{ kind: "prose", text }]);
  });
});

describe("formulas are found", () => {
  it.each([
    ["So $x + 1$ is it", ["x + 1"]],
    ["The cost is $\\$1.24$ each, or $\\$2$", ["\\$1.24", "\\$2"]],
    ["From $2 + 2 = 4$ follows $y$.", ["2 + 2 = 4", "y"]],
    ["$18$", ["18"]],
    ["$\\text{the number of eggs} = 9$", ["\\text{the number of eggs} = 9"]],
    ["$\\sin x + \\log y = 2 \\bmod 3$", ["\\sin x + \\log y = 2 \\bmod 3"]],
    ["inline \\(a_1*b_1\\) and \\[c\\]", ["a_1*b_1", "c"]],
    ["$$\\frac{1}{2}$$", ["\\frac{1}{2}"]],
    [
      "\\[\\begin{aligned} a &= b \\\\[4pt] c \\end{aligned}\\]",
      ["\\begin{aligned} a &= b \\\\[4pt] c \\end{aligned}"],
    ],
    ["\\begin{align*}\na &= b\n\\end{align*}", ["\\begin{align*}\na &= b\n\\end{align*}"]],
    ["costs $5, where $x=2$", ["x=2"]],
  ])("%s", (text, expected) => expect(mathIn(text)).toEqual(expected));

  it("tells display from inline", () => {
    const displays = splitMath("$a$ \\(b\\) $$c$$ \\[d\\]").flatMap((s) => (s.kind === "math" ? [s.isDisplay] : []));
    expect(displays).toEqual([false, false, true, true]);
  });
});

describe("code keeps its dollars", () => {
  it("in spans and fences", () => expect(mathIn("`$x$` and ```\n$y$\n```")).toEqual([]));
  it("in drawings", () =>
    expect(splitMath("[asy] draw($a$); [/asy]")).toEqual([{ kind: "code", text: "[asy] draw($a$); [/asy]" }]));
});

it("loses no character", () => {
  const text = "a $x$ \\[y\\] $5 `c` \\( $$ \\";
  expect(
    splitMath(text)
      .map((s) => (s.kind === "math" ? s.source : s.text))
      .join(""),
  ).toBe(text);
});
