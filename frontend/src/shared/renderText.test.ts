import { describe, expect, it } from "vitest";
import { renderText } from "./renderText";

function shown(text: string): string {
  const box = document.createElement("div");
  box.innerHTML = renderText(text);
  return box.textContent.trim();
}

describe("what the model wrote stays readable", () => {
  it.each([
    "9 * 2 * 3 = 54",
    "2*3*4 = 24",
    "(2*3)*4*(5) = 120",
    "a_1 + b_2 snake_case_name",
    "- 3x = 6",
    "+ 4",
    "> 5",
    "1. First",
    "7. Seventh",
    "    indented",
    "-----",
    "[a](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "~~5~~",
    "She sells for $2 per egg so 9 * 2 = $18",
  ])("%s", (text) => {
    expect(shown(text)).toBe(text.trim());
    expect(renderText(text)).not.toMatch(/<(em|ol|ul|blockquote|pre|hr|img|a)\b/);
  });

  it("keeps line breaks", () => expect(renderText("a\nb")).toContain("<br>"));
  it("still emphasises words", () => expect(renderText("this is *very* **sure**.")).toMatch(/<em>very<\/em> <strong>sure/));
  it("lays out the lists of people's own texts", () => expect(renderText("- *a*\n- b", true)).toMatch(/<ul>\s*<li><em>a/));
  it("draws a heading", () => expect(renderText("# Answer\n\n18")).toMatch(/<h1>Answer<\/h1>\s*<p>18/));
});

describe("mathematics", () => {
  it("is drawn for eyes and for screen readers", () => expect(renderText("$x^2$")).toMatch(/class="katex-mathml".*<math/s));
  it("draws a dollar sign inside", () => expect(renderText("$\\$1.24$")).toContain("katex"));
  it("survives Markdown inside", () => {
    const html = renderText("\\[\na_1*b_1*c_1\n- 3\n\\]");
    expect(html).toContain("math-display");
    expect(html).not.toMatch(/<em>|<ul>/);
  });
  it("shows a broken formula as its source, marked", () => expect(renderText("$\\frac{1$")).toContain("math-broken"));
  it("trusts nothing", () => {
    expect(renderText("$\\href{javascript:alert(1)}{x}$")).not.toContain("href=");
    expect(renderText("$\\includegraphics{http://x/y.png}$")).not.toContain("<img");
    expect(renderText("$\\def\\a{\\a\\a}\\a$")).toContain("math-broken");
  });
  it("cannot be forged with the private characters", () => expect(shown("\uE0000\uE001 $x$")).toMatch(/^0 x/));
});

describe("an answer below its heading", () => {
  it("is drawn where it is bare LaTeX", () => {
    expect(renderText("So $x$ is a half.\n\n# Answer\n\n\\frac{2}{5}")).toContain("<mfrac>");
  });

  it("stays as it is where it is plain or has delimiters", () => {
    expect(shown("# Answer\n\n82")).toBe("Answer\n82");
    expect(renderText("# Answer\n\n$\\frac{2}{5}$")).not.toContain("math-broken");
  });
});
