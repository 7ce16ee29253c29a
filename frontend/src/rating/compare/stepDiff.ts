import { diffArrays } from "diff/lib/diff/array.js";
import { splitMath } from "@/shared/markup/mathSegments";

/** A word, a term of a formula or a sign, by which two steps are compared. Pure. */
export interface Token {
  kind: "word" | "term" | "sign";
  text: string;
  /** The white space after it. */
  space: string;
}

export interface Change {
  kind: "same" | "new" | "gone";
  tokens: Token[];
}

/** Words, numbers with their commas, and single signs, each with the space behind it. */
const WORD = /(?:\d+(?:[.,]\d+)*|[\p{L}\p{M}\p{N}]+|\S)(\s*)/gu;
// Formulas whose pieces make no sense alone stay whole.
const WHOLE = /\\(?:left|begin|over|atop|choose|def|color|large|small|displaystyle|limits|not)|&|\\\\/;
const SIGN =
  /^(?:\\(?:cdot|times|div|pm|leq?|geq?|neq?|approx|equiv|implies|iff|to|Rightarrow|rightarrow)(?![A-Za-z])|[=<>+\-,;])/;

/** A formula, cut where a reader pauses: at signs outside all braces. */
export function termsOf(formula: string): Token[] {
  if (WHOLE.test(formula)) return [{ kind: "term", text: formula, space: "" }];
  const tokens: Token[] = [];
  let term = "";
  let depth = 0;
  const close = () => {
    if (term.trim() !== "") tokens.push({ kind: "term", text: term.trim(), space: "" });
    term = "";
  };
  for (let at = 0; at < formula.length;) {
    const sign = depth === 0 ? SIGN.exec(formula.slice(at, at + 16))?.[0] : undefined;
    const isPart =
      /[\^_]\s*$/.test(term) || (/^[+-]$/.test(sign ?? "") && term.trim() === "" && tokens.at(-1)?.kind !== "term");
    if (sign !== undefined && !isPart) {
      close();
      tokens.push({ kind: "sign", text: sign, space: "" });
    } else {
      if (formula[at] === "{") depth += 1;
      if (formula[at] === "}") depth -= 1;
    }
    const piece = sign ?? /^\\(?:[A-Za-z]+|.)/.exec(formula.slice(at, at + 40))?.[0] ?? formula.charAt(at);
    if (sign === undefined || isPart) term += piece;
    at += piece.length;
  }
  close();
  return tokens;
}

export function tokensOf(text: string, split: typeof splitMath = splitMath): Token[] {
  const tokens: Token[] = [];
  for (const segment of split(text)) {
    if (segment.kind === "math") tokens.push(...termsOf(segment.text));
    else {
      const space = /^\s+/.exec(segment.text)?.[0] ?? "";
      const last = tokens.at(-1);
      if (last) last.space += space;
      else if (space !== "") tokens.push({ kind: "word", text: "", space });
      for (const [whole, behind = ""] of segment.text.matchAll(WORD)) {
        tokens.push({ kind: "word", text: whole.slice(0, whole.length - behind.length), space: behind });
      }
    }
  }
  return tokens;
}

const alike = (a: Token, b: Token) => a.kind === b.kind && a.text === b.text;

/** The most differing words that a reader can follow; beyond, one text counts as replaced by the other. */
const MOST_EDITS = 1_000;

/** Returns the changes from `before` to `after`, in reading order. */
export function diffSteps(before: string, after: string, split = splitMath): Change[] {
  const [old, fresh] = [tokensOf(before, split), tokensOf(after, split)];
  const changes = diffArrays(old, fresh, { comparator: alike, maxEditLength: MOST_EDITS });
  if (changes)
    return changes.map(({ added, removed, value }) => ({
      kind: added ? "new" : removed ? "gone" : "same",
      tokens: value,
    }));
  return [
    { kind: "gone", tokens: old },
    { kind: "new", tokens: fresh },
  ];
}

/** The share of `after` that was there before. */
export function shareKept(changes: Change[]): number {
  const size = (kind: Change["kind"]) =>
    changes.reduce((sum, change) => sum + (change.kind === kind ? change.tokens.length : 0), 0);
  return size("same") / Math.max(1, size("same") + size("new"));
}
