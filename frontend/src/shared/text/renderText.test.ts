import katex from "katex";
import { describe, expect, it, vi } from "vitest";
import { inLine, prerender as prerenderAs, renderText as renderAs, type Look } from "./renderText";
import { sourceOf } from "./copyAsStored";
import { shownText } from "./shownText.fixture";

const renderText = (text: string, look: Look = "mathematics") => renderAs(text, look);
const prerender = (text: string) => prerenderAs(text, "mathematics");

function shown(text: string): string {
  const box = document.createElement("div");
  box.innerHTML = renderText(text);
  return sourceOf(box);
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
    "&lt;b&gt; &#106; &amp; &nbsp;",
    "a $ b",
    "She sells for $2 per egg so 9 * 2 = $18",
  ])("%s", (text) => {
    expect(shown(text)).toBe(text);
    expect(renderText(text)).not.toMatch(/<(em|ol|ul|blockquote|pre|hr|img|a)\b/);
  });

  it("keeps line breaks", () => expect(shown("a\nb\n\n  c")).toBe("a\nb\n\n  c"));
  it("shows bold words with their stars", () =>
    expect(renderText("this is **sure**.")).toMatch(/<strong><span class="mark">\*\*<\/span>sure<span/));
  it.each([
    "SELECT COUNT(*) FROM t WHERE COUNT(*) > 1",
    "__init__",
    "\\\\server",
    "# a comment",
    "*so*",
    "2**3 + 2**4",
  ])("leaves %s as it is", (text) => expect(renderText(text)).toBe(text.replace(">", "&gt;")));
  it("lays out the lists of people's own texts", () =>
    expect(renderText("- *a*\n- b", "prose")).toMatch(/<ul><li.*?><span class="mark">- <\/span><em>/));
  it("dims the heading of an answer", () =>
    expect(renderText("# Answer\n\n18")).toMatch(/<span class="mark"># Answer<\/span>/));
});

describe("mathematics", () => {
  it("is drawn for eyes and for screen readers", () =>
    expect(renderText("$x^2$")).toMatch(/class="katex-mathml".*<math/s));
  it("draws a dollar sign inside", () => expect(renderText("$\\$1.24$")).toContain("katex"));
  it("survives Markdown inside", () => {
    const html = renderText("\\[\na_1*b_1*c_1\n- 3\n\\]");
    expect(html).toContain("math-display");
    expect(html).not.toMatch(/<em>|<ul>/);
  });
  it.each([
    "$5\\mbox{ cm}$",
    "$(\\root 4\\of5 + \\root\n{16}\\of x)$",
    "$\\overarc{XZ}$",
    "\\(\\frac{$100,000}{5} = $20,000\\)",
    "$(\\root{4}{5} + 1)$",
    "\\(5 = \\text{half of $x$}\\)",
    "$$\\begin{array}{@{}c@{\\;}c} 6 & 5 \\\\ \\cline{1-2} 1 & 0 \\end{array}$$",
  ])("knows the commands of competition texts: %s", (text) => expect(renderText(text)).not.toContain("math-broken"));
  it("may break a line of choices between them", () => {
    expect(
      renderText("$\\textbf{(A)}\\ 1 \\qquad \\textbf{(B)}\\ 2 \\qquad \\textbf{(C)}\\ 3$").match(/math-part/g),
    ).toHaveLength(3);
    expect(renderText("$\\left( 1 \\qquad 2 \\right)$")).not.toMatch(/math-(part|broken)/);
    expect(renderText("$$\\begin{aligned} x &= 1 \\qquad 2 \\end{aligned}$$")).not.toMatch(/math-(part|broken)/);
  });
  it("shows a broken formula as its source, marked", () => expect(renderText("$\\frac{1$")).toContain("math-broken"));
  it("trusts nothing", () => {
    expect(renderText("$\\href{javascript:alert(1)}{x}$")).not.toContain("href=");
    expect(renderText("$\\includegraphics{http://x/y.png}$")).not.toContain("<img");
    expect(renderText("$\\def\\a{\\a\\a}\\a$")).toContain("math-broken");
  });
  it("cannot be forged with the private characters", () =>
    expect(shown("\uE0000\uE001 $x$")).toBe("\uE0000\uE001 $x$"));
});

describe("an answer below its heading", () => {
  it("is drawn where it is bare LaTeX", () => {
    expect(renderText("So $x$ is a half.\n\n# Answer\n\n\\frac{2}{5}")).toContain("<mfrac>");
  });

  it("stays as it is where it is plain or has delimiters", () => {
    expect(shown("# Answer\n\n82")).toBe("# Answer\n\n82");
    expect(renderText("# Answer\n\n$\\frac{2}{5}$")).not.toContain("math-broken");
  });
});

describe("code", () => {
  const code = "```python\ndef f(x):\n    return x * 2  # $x$\n```";
  it("keeps its white space", () => expect(shown(code)).toBe(code));
  it("runs to the end where a later step closes it", () =>
    expect(renderText("```\ncost = $x$ + $y$")).not.toContain("katex"));
  it("is literal between tildes too", () => expect(renderText("~~~\n  $x$\n~~~")).not.toContain("katex"));
  it("keeps its indent without a fence", () =>
    expect(renderText("if x:\n    y = 1\n\tz = 2")).toBe("if x:\n    y = 1\n\tz = 2"));
  it("goes from left to right", () => expect(renderText("$x$")).toContain('dir="ltr"'));
});

describe("hostile text", () => {
  const HOSTILE = [
    "<script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "[x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,AAAA)",
    "<data:text/html,x>",
    "[x]: javascript:alert(1)\n\n[x]",
    "https://evil.example",
    "&#60;img src=x onerror=alert(1)&#62;",
    "`<img src=x onerror=alert(1)>`",
    '```"><img src=x onerror=alert(1)>\nx\n```',
    "[asy]<img src=x onerror=alert(1)>[/asy]",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\url{javascript:alert(1)}$",
    "$\\includegraphics{http://x/y.png}$",
    "$\\htmlClass{a}{x}$",
    "$\\htmlId{root}{x}$",
    "$\\htmlStyle{position:fixed}{x}$",
    "$\\htmlData{a=b}{x}$",
    "$\\text{<img src=x onerror=alert(1)>}$",
    "$<img src=x onerror=alert(1)>$",
    '$\\unknown"onclick="alert(1)$',
    "|a|b|\n|-|-|\n|<img src=x onerror=alert(1)>|$\\href{javascript:alert(1)}{x}$|",
  ];
  it.each(HOSTILE)("does nothing: %s", (text) => {
    const box = document.createElement("div");
    for (const look of ["mathematics", "markdown", "plain", "code", "answer", "prose"] as const) {
      box.innerHTML = renderText(text, look);
      expect(
        box.querySelector("script, style, iframe, object, embed, form, img, a, [id], [class~=a], [data-a]"),
      ).toBeNull();
      const attributes = [...box.querySelectorAll("*")].flatMap((element) => element.getAttributeNames());
      expect(attributes.filter((name) => /^on|^href$|^src/.test(name))).toEqual([]);
      expect(box.querySelector("[style*=position]")).toBeNull();
    }
  });

  it.each(["\\href{javascript:alert(1)}{x}", "\\url{a:b}", "\\includegraphics{http://x/y.png}", "\\htmlClass{a}{x}"])(
    "shows all of %s",
    (formula) => expect(shown(`$${formula}$`)).toBe(`$${formula}$`),
  );

  it.each([
    [
      "macros that double",
      "$\\def\\a{xx}\\def\\b{\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}\\def\\d{\\c\\c\\c\\c}\\d\\d\\d\\d\\d\\d\\d$",
    ],
    ["a macro of itself", "$\\def\\a{\\a\\a}\\a$"],
    ["deep braces", `$${"{".repeat(2400)}x${"}".repeat(2400)}$`],
    ["a formula too long", `\\[${"x+".repeat(60_000)}x\\]`],
  ])("shows %s as source", (_, text) => expect(renderText(text)).toContain("math-broken"));

  it.each(["\\(", "\\[", "$$", "`", "```", "[asy]", "\\begin{align}", "$a", "*a", "_", "[", "|a\n", "> ", "- "])(
    "does not hang on many %s",
    (open) => {
      const before = process.cpuUsage();
      renderText(open.repeat(20_000));
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000); // milliseconds of this process alone
    },
  );

  it("cannot turn the page around, nor hide a character", () => {
    const box = document.createElement("div");
    for (const character of ["\u202E", "\u2066", "\u200B", "\uFEFF", "\u0007", "\u{E0041}"]) {
      box.innerHTML = renderText(`a${character}b`);
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? "";
      expect(box.querySelector("bdi")?.dataset.name).toBe(`U+${code}`);
      expect(box.querySelector("bdi")?.textContent).toBe(character);
    }
    expect(renderText("$\\text{\u202E}$")).toContain("math-broken");
  });
});

describe("drawing ahead", () => {
  it("draws a text once", () => {
    const draw = vi.spyOn(katex, "renderToString");
    prerender("once $q_1$");
    expect(renderText("once $q_1$")).toContain("katex");
    expect(draw).toHaveBeenCalledTimes(1);
  });
  it("forgets what was not shown for long", () => {
    const draw = vi.spyOn(katex, "renderToString");
    prerender("$q_2$");
    for (let text = 0; text < 500; text += 1) prerender(`text ${text}`);
    prerender("$q_2$");
    expect(draw).toHaveBeenCalledTimes(2);
  });
});

describe("Markdown", () => {
  const markdown = (text: string) => renderText(text, "markdown");
  it.each([
    ["# One", /<h2><span class="mark"># <\/span>One/],
    ["*a* and **b** and ~~c~~", /<em>.*<strong>.*<del>/],
    ["- a\n- b\n  c\n\n1. d", /<ul>(?:<li.*?){3}<\/ul>/s],
    ["| a | `b|c` |\n|---|---|\n| $d$ | e |", /<table>.*<th>.*<tr class="mark">.*katex.*<\/table>/s],
    ["> said", /<blockquote><span class="mark">&gt; <\/span>said/],
    ["---", /class="mark rule"/],
    ["a\\*b", /a<span class="mark">\\<\/span>\*b/],
    ["[b](http://c.d)", /<span class="link">b<\/span>/],
    ["```diff\n-a\n+b\n```", /diff-gone.*diff-added/s],
  ])("reads %s", (text, html) => expect(markdown(text)).toMatch(html));
  it.each(["2*3*4 = 24", "snake_case_name", "a * b * c", "- 3x"])("does not take %s for emphasis", (text) =>
    expect(markdown(text)).not.toMatch(/<em>/),
  );
});

describe("code", () => {
  it("shows what a patch adds and takes away", () =>
    expect(renderText("@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "code")).toMatch(/diff-place.*diff-gone.*diff-added/s));
  it("is no patch for a minus alone", () => expect(renderText("- x\n- y", "code")).not.toContain("diff"));
});

describe("a drawing", () => {
  const TEXT = "See\n[asy]\ndraw(a--b);\n[/asy]\nthere.";

  it("is folded code, of which the text stays whole", () => {
    const html = renderText(TEXT);
    expect(html).toMatch(/<details><summary [^>]*>\[asy\]<\/summary><code class="verbatim">\ndraw/);
    expect(shownText(html)).toBe(TEXT);
  });

  it("cannot be opened in a line of a table", () => {
    const html = inLine(renderText(TEXT));
    expect(html).not.toMatch(/details|summary/);
    expect(shownText(html)).toBe(TEXT);
  });
});
