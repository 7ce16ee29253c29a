import type { ErrorKind } from "@/api/types";

/** The kinds at the top, each with those below it, however deep, in the order of the list. */
export function topKinds(kinds: readonly ErrorKind[]): [top: ErrorKind, below: ErrorKind[]][] {
  const topOf = new Map<string, string>();
  for (const { key, parent } of kinds) topOf.set(key, parent ? (topOf.get(parent) ?? parent) : key);
  return kinds
    .filter(({ parent }) => !parent)
    .map((top) => [top, kinds.filter(({ key }) => key !== top.key && topOf.get(key) === top.key)]);
}

/** Returns a kind's name, as in "Calculation: Arithmetic"; its key if the list no longer has it. */
export function nameOfKind(kinds: readonly ErrorKind[], key: string): string {
  const kind = kinds.find((each) => each.key === key);
  if (!kind) return key.toUpperCase();
  return kind.parent ? `${nameOfKind(kinds, kind.parent)}: ${kind.name}` : kind.name;
}

/** The words between two places, counted in characters: 𝑥 is one. */
export function wordsAt(text: string, [start, end]: readonly [number, number]): string {
  return Array.from(text).slice(start, end).join("");
}
