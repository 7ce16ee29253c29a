import { splitMath } from "@/shared/mathSegments";

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

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const segment of splitMath(text)) {
    if (segment.kind === "math") tokens.push(...termsOf(segment.text));
    else {
      const space = /^\s+/.exec(segment.text)?.[0] ?? "";
      const last = tokens.at(-1);
      if (last) last.space += space;
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

function push(changes: Change[], kind: Change["kind"], tokens: (Token | undefined)[]): void {
  const present = tokens.filter((token) => token !== undefined);
  if (present.length === 0) return;
  const last = changes.at(-1);
  if (last?.kind === kind) last.tokens.push(...present);
  else changes.push({ kind, tokens: present });
}

function diffMiddle(changes: Change[], before: Token[], after: Token[]): void {
  if (before.length * after.length > MOST_PAIRS) {
    push(changes, "gone", before);
    push(changes, "new", after);
    return;
  }
  const lengths = commonLengths(before, after);
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (alike(before[i], after[j])) {
      push(changes, "same", [after[j]]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= after.length || (i < before.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)))
      push(changes, "gone", [before[i++]]);
    else push(changes, "new", [after[j++]]);
  }
}

/** From `before` to `after`, in reading order. */
export function diffSteps(before: string, after: string): Change[] {
  const [old, fresh] = [tokensOf(before), tokensOf(after)];
  let start = 0;
  while (start < fresh.length && alike(old[start], fresh[start])) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    alike(old[old.length - 1 - end], fresh[fresh.length - 1 - end])
  )
    end += 1;
  const changes: Change[] = [];
  push(changes, "same", fresh.slice(0, start));
  diffMiddle(changes, old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  push(changes, "same", fresh.slice(fresh.length - end));
  return changes;
}

/** The share of `after` that was there before. */
export function shareKept(changes: Change[]): number {
  const size = (kinds: string[]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { tokens }) => sum + tokens.length, 0);
  return size(["same"]) / Math.max(1, size(["same", "new"]));
}
