import { describe, expect, it } from "vitest";
import { diffSteps, shareKept, termsOf, tokensOf, type Change } from "./stepDiff";

function marked(changes: Change[]): string {
  const SIGNS = { same: ["", ""], new: ["[+", "]"], gone: ["[-", "]"] } as const;
  return changes
    .map(({ kind, tokens }) => SIGNS[kind][0] + tokens.map(({ text }) => text).join(" ") + SIGNS[kind][1])
    .join(" ");
}

describe("terms of a formula", () => {
  it.each([
    ["x^2 + 2x = -1", ["x^2", "+", "2x", "=", "-1"]],
    ["\\frac{a+b}{c} - 3", ["\\frac{a+b}{c}", "-", "3"]],
    ["x^{-1}\\cdot y^-2", ["x^{-1}", "\\cdot", "y^-2"]],
    ["a \\leq b \\left( c + d \\right)", ["a \\leq b \\left( c + d \\right)"]],
    ["\\begin{align} a &= b \\\\ c &= d \\end{align}", ["\\begin{align} a &= b \\\\ c &= d \\end{align}"]],
    ["\\$5 + \\text{a = b}", ["\\$5", "+", "\\text{a = b}"]],
    ["-x", ["-x"]],
    ["\\cdots + \\top", ["\\cdots", "+", "\\top"]],
    ["a }}+ b", ["a }}+ b"]],
  ])("%s", (formula, terms) => expect(termsOf(formula).map(({ text }) => text)).toEqual(terms));
});

describe("tokens", () => {
  it("lose no letter of prose", () => {
    const text = " So, she has 1,234.5 eggs:\n  naïve  ölig 数学! ";
    expect(
      tokensOf(text)
        .map(({ text: word, space }) => word + space)
        .join(""),
    ).toBe(text);
  });
  it("tell a word from a formula", () => expect(marked(diffSteps("x", "$x$"))).toBe("[-x] [+x]"));
});

describe("changes", () => {
  it.each([
    ["same text", "same text", "same text"],
    ["", "all new", "[+all new]"],
    ["all gone", "", "[-all gone]"],
    ["So $x + 3 = 5$.", "So $x = 2$.", "So x [-+ 3] = [-5] [+2] ."],
    ["She has 5 eggs", "She has 1,005 eggs", "She has [-5] [+1,005] eggs"],
    ["a b c d", "x b c y", "[-a] [+x] b c [-d] [+y]"],
    ["a a b", "a b", "a [-a] b"],
    ["the cat", "the big, fat cat", "the [+big , fat] cat"],
  ])("from %j to %j", (before, after, changes) => expect(marked(diffSteps(before, after))).toBe(changes));

  it("rebuild both texts", () => {
    const [before, after] = ["x is 3, so $a+b=c$ and y", "so y is $a+b=d$, or x"];
    const changes = diffSteps(before, after);
    const side = (kind: "new" | "gone") =>
      changes
        .flatMap((change) => (change.kind === "same" || change.kind === kind ? change.tokens : []))
        .map(({ text }) => text);
    expect(side("gone")).toEqual(tokensOf(before).map(({ text }) => text));
    expect(side("new")).toEqual(tokensOf(after).map(({ text }) => text));
  });
  it("know how much was kept", () =>
    expect([shareKept(diffSteps("a b", "a c")), shareKept(diffSteps("a", ""))]).toEqual([0.5, 0]));
  it("of very long texts take no time", () => {
    const started = performance.now();
    expect(diffSteps("a b ".repeat(20_000), "c d ".repeat(20_000))).toHaveLength(2);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
