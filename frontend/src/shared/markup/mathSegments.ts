/**
 * Splits text into prose, mathematics and literal code, before any other markup is looked for. Pure. A `span` of code
 * stands between backticks, a `fence` includes the lines that begin and end it, `code` is a drawing.
 */
export type Segment =
  | { kind: "prose" | "code" | "span" | "fence"; text: string }
  | { kind: "math"; text: string; source: string; isDisplay: boolean };

interface Match {
  end: number;
  segment: Segment;
}

/** No one writes a longer formula; drawing one would stop the page. */
export const LONGEST_MATH = 5000;
const WORDS_OF_MATH = /^(?:sin|cos|tan|cot|sec|csc|log|exp|lim|max|min|mod|gcd|lcm|deg|det|dim|arg|and|or|if)$/;

/** The position of `close` from `start` on, stepping over `\x` pairs (so that `\$` and `\\[4pt]` close nothing); or -1. */
function findClose(text: string, close: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith(close, at)) return at;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

/** True if `$...$` holds a formula, and not the prose between two amounts of money. */
function looksLikeMath(content: string): boolean {
  const bare = content
    .replace(/\\(?:text\w*|mbox|operatorname|mathrm)\s*\{[^{}]*\}/g, " ")
    .replace(/\\[A-Za-z]+/g, " ");
  const words = (bare.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !WORDS_OF_MATH.test(word));
  if (/^\d[\d,.]*\s/.test(content)) return words.length === 0 && !/\s[A-Za-z]{2,}(?=\s|$)/.test(bare);
  return words.length < 3;
}

/** Matches `$...$` by Pandoc's rule and `looksLikeMath`: "$2 per egg, so $18" is money. */
function dollarMath(text: string, at: number): Match | null {
  const close = findClose(text, "$", at + 1);
  const content = text.slice(at + 1, close);
  if (close <= at + 1 || /^\s|\s$|\n\s*\n/.test(content) || /\d/.test(text[close + 1] ?? "")) return null;
  if (content.length > LONGEST_MATH || !looksLikeMath(content)) return null;
  return math(text, at, close + 1, content, false);
}

function math(text: string, at: number, end: number, content: string, isDisplay: boolean): Match {
  return { end, segment: { kind: "math", text: content.trim(), source: text.slice(at, end), isDisplay } };
}

/** Matches a formula in delimiters. `missing`: those known not to come any more, so that thousands cost one search. */
function delimited(
  text: string,
  at: number,
  missing: Set<string>,
  open: string,
  close: string,
  isDisplay: boolean,
): Match | null {
  const end = missing.has(close) ? -1 : findClose(text, close, at + open.length);
  if (end < 0) {
    missing.add(close);
    return null;
  }
  const content = text.slice(at + open.length, end);
  return content.trim() === "" ? null : math(text, at, end + close.length, content, isDisplay);
}

function environment(text: string, at: number, missing: Set<string>): Match | null {
  const name = /^\\begin\{((?:align|equation|gather|multline|alignat)\*?)\}/.exec(text.slice(at, at + 24))?.[1];
  if (name === undefined) return null;
  const close = `\\end{${name}}`;
  const end = missing.has(close) ? -1 : text.indexOf(close, at);
  if (end < 0) missing.add(close);
  return end < 0 ? null : math(text, at, end + close.length, text.slice(at, end + close.length), true);
}

function drawing(text: string, at: number, missing: Set<string>): Match | null {
  const found = !text.startsWith("[asy]", at) || missing.has("[/asy]") ? -1 : text.indexOf("[/asy]", at);
  if (found < 0) {
    if (text.startsWith("[asy]", at)) missing.add("[/asy]");
    return null;
  }
  const end = found + "[/asy]".length;
  return { end, segment: { kind: "code", text: text.slice(at, end) } };
}

/** Matches code from backticks to as many in the same paragraph. */
function span(text: string, at: number, missing: Set<string>): Match | null {
  const ticks = /^`+/.exec(text.slice(at, at + 99))?.[0] ?? "";
  const rest = missing.has(ticks) ? "" : text.slice(at + ticks.length);
  const found = new RegExp(`(?<!\`)${ticks}(?!\`)|\\n[ \\t]*\\n`).exec(rest);
  if (found === null) missing.add(ticks);
  const end = at + ticks.length + (found?.index ?? 0) + ticks.length;
  if (found?.[0] !== ticks) return { end: at + ticks.length, segment: { kind: "prose", text: ticks } };
  return { end, segment: { kind: "span", text: text.slice(at, end) } };
}

/** Matches from a line of backticks or tildes to the next such line, or to the end if a later step closes the fence. */
function fence(text: string, at: number): Match | null {
  const line = /^[ \t]*(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/.exec(text.slice(at, at + 200));
  if (line === null) return null;
  const [, sign = ""] = line;
  const close = new RegExp(`\\n[ \\t]*${sign}${sign.charAt(0)}*[ \\t]*(?:\\n|$)`).exec(text.slice(at));
  const end = close ? at + close.index + close[0].length : text.length;
  return { end, segment: { kind: "fence", text: text.slice(at, end) } };
}

function matchAt(text: string, at: number, missing: Set<string>): Match | null {
  const two = text.slice(at, at + 2);
  if (two === "\\(") return delimited(text, at, missing, "\\(", "\\)", false);
  if (two === "\\[") return delimited(text, at, missing, "\\[", "\\]", true);
  if (two === "\\b") return environment(text, at, missing);
  if (two === "$$") return delimited(text, at, missing, "$$", "$$", true);
  if (text[at] === "$") return dollarMath(text, at);
  return text[at] === "`" ? span(text, at, missing) : drawing(text, at, missing);
}

/** A command, or powers and indices as LaTeX reads them: of a letter, a digit or a bracket, and one character long. */
const BARE_MATH = /\\[A-Za-z]|^(?:[^_^]*(?<![A-Za-z]{2}|^)[_^](?:\{|\w(?!\w)))+[^_^]*$/;

/** Splits a final answer, which is often LaTeX without delimiters, `\frac{5}{6}`: a formula all the same. */
export function splitAnswer(answer: string): Segment[] {
  const isFormula = BARE_MATH.test(answer) && !/\$|\\[([]|\n/.test(answer);
  return isFormula ? [{ kind: "math", text: answer, source: answer, isDisplay: false }] : splitMath(answer);
}

/** PRM800K's last step ends "# Answer", a blank line, and the bare answer. */
const ANSWER = /^#+ *Answer\s*\n+(?=(.+)$)/m;

/** Splits a text; the answer below its heading may be a formula without delimiters. */
export function splitText(text: string): Segment[] {
  const found = ANSWER.exec(text);
  const answer = found?.[1] ?? "";
  const start = (found?.index ?? 0) + (found?.[0].length ?? 0);
  const parts = answer === "" ? [] : splitAnswer(answer);
  if (parts.length !== 1 || parts[0]?.kind !== "math") return splitMath(text);
  return [...splitMath(text.slice(0, start)), ...parts, ...splitMath(text.slice(start + answer.length))];
}

const PAIRS = [
  [/\{/g, /\}/g],
  [/\\left(?![a-z])/g, /\\right(?![a-z])/g],
  [/\\begin/g, /\\end/g],
] as const;

function isWhole(part: string): boolean {
  const bare = part.replace(/\\[{}]/g, "");
  const isPaired = PAIRS.every(([open, close]) => bare.match(open)?.length === bare.match(close)?.length);
  return part !== "" && isPaired && !/&|\\\\/.test(part);
}

/** Splits a formula where a line may break: `(A) 1 \qquad (B) 2`; one part if a gap is inside braces or the like. */
export function partsOf(formula: string): string[] {
  const parts = formula.split(/\\qquad(?![a-z])/).map((part) => part.trim());
  return parts.every(isWhole) ? parts : [formula];
}

/** Rewrites what KaTeX lacks: `\root 3 \of x`, an array's `@{}`, the `$` of money, and `%`, which begins no comment. */
export function forKatex(formula: string): string {
  return (/\\(?:text|mbox)/.test(formula) ? formula : formula.replace(/(?<!\\)\$/g, "\\$"))
    .replace(/(?<!\\)((?:\\\\)*)%/g, "$1\\%")
    .replace(/\\root\s*\{([^{}]*)\}(?=\s*\{)/g, "\\sqrt[$1]")
    .replace(/\\root\s*\{?([^{}\\]*?)\}?\s*\\of(?![a-z])/g, "\\sqrt[$1]")
    .replace(
      /(\\begin\{array\})\s*\{((?:[^{}]|@\{[^{}]*\})*)\}/g,
      (_, begin: string, columns: string) => `${begin}{${columns.replace(/@\{[^{}]*\}/g, "")}}`,
    );
}

export function splitMath(text: string): Segment[] {
  const segments: Segment[] = [];
  const missing = new Set<string>();
  let proseStart = 0;
  let at = 0;
  while (at < text.length) {
    const isLine = at === 0 || text[at - 1] === "\n";
    const sign = /[$\\`[]/.test(text.charAt(at));
    const match = (isLine && fence(text, at)) || (sign ? matchAt(text, at, missing) : null);
    if (match === null || match.segment.kind === "prose") {
      at = match?.end ?? at + (text[at] === "\\" || text.startsWith("$$", at) ? 2 : 1);
      continue;
    }
    if (at > proseStart) segments.push({ kind: "prose", text: text.slice(proseStart, at) });
    segments.push(match.segment);
    at = proseStart = match.end;
  }
  if (proseStart < text.length) segments.push({ kind: "prose", text: text.slice(proseStart) });
  return segments;
}

/** Returns a text as one segment of prose. */
export function asProse(text: string): Segment[] {
  return [{ kind: "prose", text }];
}
