import { strings } from "@/shared/words/strings";
import { escaped, mark, quoted } from "./escaped";

const CHANGES = new Map([
  ["+", "added"],
  ["-", "gone"],
]);
const HEADER = /^(?:diff --git|index [\da-f]|--- |\+\+\+ |@@ )/;
const LINE = /[^\n]*\n|[^\n]+$/g;

const linesOf = (text: string): string[] => text.match(LINE) ?? [];

/** True if the lines are a patch, or a part of one that has both added and removed lines. */
function isDiff(lines: string[]): boolean {
  if (lines.some((line) => /^(?:diff --git |@@ -\d)/.test(line))) return true;
  const isPart = lines.every((line) => /^(?:[-+ \n]|\\ No newline)/.test(line));
  return isPart && lines.some((line) => /^\+(?!\+)/.test(line)) && lines.some((line) => /^-(?!-)/.test(line));
}

function diffLine(line: string): string {
  const change = HEADER.test(line) ? "place" : CHANGES.get(line.charAt(0));
  return change ? `<span class="diff-${change}">${escaped(line)}</span>` : escaped(line);
}

function codeHtml(text: string): string {
  const lines = linesOf(text);
  return isDiff(lines) ? lines.map(diffLine).join("") : escaped(text);
}

export function verbatim(inner: string): string {
  return `<code class="verbatim">${inner}</code>`;
}

/** A text that is code. */
export function codeBlock(text: string): string {
  return verbatim(codeHtml(text));
}

/** Code between fences, of which the closing one may be missing. */
export function fenced(text: string): string {
  const [, open = "", code = "", close = ""] =
    /^([^\n]*\n?)([^]*?)((?:^|(?<=\n))[ \t]*[`~]{3,}[ \t]*\n?)?$/.exec(text) ?? [];
  return verbatim(mark(open) + codeHtml(code) + mark(close));
}

const ASY = "[asy]";

/** Renders a drawing's code, folded to its opening `[asy]`. */
export function drawing(lead: string, text: string, end: string): string {
  const code = verbatim(escaped(text.slice(ASY.length) + end));
  return `<details><summary title="${quoted(strings.drawing)}">${lead}${ASY}</summary>${code}</details>`;
}

/** Code within a line. */
export function codeSpan(text: string): string {
  const ticks = /^`+/.exec(text)?.[0] ?? "";
  return `<code>${mark(ticks)}${escaped(text.slice(ticks.length, -ticks.length))}${mark(ticks)}</code>`;
}
