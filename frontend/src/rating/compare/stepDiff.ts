import { splitMath } from "@/shared/markup/mathSegments";

/** What changed from one step to the next, by words and by the terms of formulas. Pure. */
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

const alike = (a: Token | undefined, b: Token | undefined) =>
  a !== undefined && a.kind === b?.kind && a.text === b.text;

/** Comparing two texts of a thousand words each is instant; beyond, the middle counts as replaced. */
const MOST_PAIRS = 1_000_000;

/** `lengths[i][j]`: how many tokens before[i:] and after[j:] have in common, in order. */
function commonLengths(before: Token[], after: Token[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i], lengths[i + 1]];
      if (row && below)
        row[j] = alike(before[i], after[j]) ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** From `before` to `after`, in reading order. */
export function diffSteps(before: string, after: string, split = splitMath): Change[] {
  const [old, fresh] = [tokensOf(before, split), tokensOf(after, split)];
  const changes: Change[] = [];
  const push = (kind: Change["kind"], token: Token | undefined) => {
    const last = changes.at(-1);
    if (!token) return;
    if (last?.kind === kind) last.tokens.push(token);
    else changes.push({ kind, tokens: [token] });
  };
  const shortest = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shortest && alike(old[start], fresh[start])) start += 1;
  let end = 0;
  while (end < shortest - start && alike(old.at(-1 - end), fresh.at(-1 - end))) end += 1;

  const gone = old.slice(start, old.length - end);
  const come = fresh.slice(start, fresh.length - end);
  const lengths = gone.length * come.length > MOST_PAIRS ? null : commonLengths(gone, come);
  fresh.slice(0, start).forEach((token) => push("same", token));
  let [i, j] = [0, 0];
  while (i < gone.length || j < come.length) {
    const isGone = j >= come.length || !lengths || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0);
    if (lengths && alike(gone[i], come[j])) {
      push("same", come[j]);
      [i, j] = [i + 1, j + 1];
    } else if (i < gone.length && isGone) push("gone", gone[i++]);
    else push("new", come[j++]);
  }
  fresh.slice(fresh.length - end).forEach((token) => push("same", token));
  return changes;
}

/** The share of `after` that was there before. */
export function shareKept(changes: Change[]): number {
  const size = (kind: Change["kind"]) =>
    changes.reduce((sum, change) => sum + (change.kind === kind ? change.tokens.length : 0), 0);
  return size("same") / Math.max(1, size("same") + size("new"));
}
