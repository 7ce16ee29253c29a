import katex from "katex";
import { forKatex, LONGEST_MATH, partsOf, type Segment } from "./mathSegments";
import { strings } from "@/shared/words/strings";
import { escaped, hasUnseen, quoted } from "./escaped";

function broken(source: string): string {
  return `<code class="math-broken" dir="ltr" title="${quoted(strings.brokenFormula)}">${escaped(source)}</code>`;
}

/** Throws, so that a rater sees the source: KaTeX would draw an untrusted command's name and drop the rest. */
function distrust(): never {
  throw new Error("This command needs trust.");
}

/** Commands that KaTeX lacks. A partial line under a row of numbers is drawn whole. */
const MACROS = {
  "\\mbox": "\\text{#1}",
  "\\overarc": "\\overgroup{#1}",
  "\\cline": (context: { consumeArgs: (count: number) => unknown }) => (context.consumeArgs(1), "\\hline"),
};

function formulaHtml(formula: string, displayMode: boolean): string {
  return katex.renderToString(forKatex(formula), {
    displayMode,
    throwOnError: true,
    output: "htmlAndMathml",
    trust: distrust,
    strict: "ignore",
    maxExpand: 300,
    maxSize: 20,
    macros: { ...MACROS },
  });
}

/** Renders a formula, with MathML for screen readers and its source in `data-source`. Renders the source, marked, if it
 * cannot be drawn. */
export function mathHtml({ text, source, isDisplay }: Extract<Segment, { kind: "math" }>): string {
  if (text.length > LONGEST_MATH || hasUnseen(source)) return broken(source);
  try {
    const parts = partsOf(text).map((part) => formulaHtml(part, isDisplay));
    const html =
      parts.length > 1 ? parts.map((part) => `<span class="math-part">${part}</span>`).join(" ") : parts.join("");
    const name = isDisplay ? "math-display" : "math-inline";
    return `<span class="${name}" dir="ltr" data-source="${quoted(source)}">${html}</span>`;
  } catch {
    return broken(source);
  }
}
