import type { Column, FigureRow } from "./Figure";

type Spread<Key extends string> = Record<Key | `${Key}_low` | `${Key}_high`, number | null | undefined>;

/** The cells of a value and of the ends of its interval, in the columns of `withEnds`. */
export function spread<Key extends string>(
  key: Key,
  value: number | null | undefined,
  interval: readonly number[] | null | undefined,
): Spread<Key> {
  return { [key]: value, [`${key}_low`]: interval?.[0], [`${key}_high`]: interval?.[1] } as Spread<Key>;
}

/** The column of a value, and those of the ends of its interval. */
export function withEnds<Own extends Column>(column: Own): [Own, Column, Column] {
  const { key, label, format } = column;
  return [
    column,
    { key: `${key}_low`, label: `${label}, at least`, format },
    { key: `${key}_high`, label: `${label}, at most`, format },
  ];
}

/** Rows with what `Whiskers` at these keys draw: how far each interval reaches below and above its value. */
export function withReach(rows: readonly FigureRow[], keys: readonly string[]) {
  return rows.map((row) => ({ ...row, ...Object.fromEntries(keys.map((key) => [`${key}_reach`, reachOf(row, key)])) }));
}

function reachOf(row: FigureRow, key: string): [number, number] | undefined {
  const [value, low, high] = [row[key], row[`${key}_low`], row[`${key}_high`]];
  return typeof value === "number" && typeof low === "number" && typeof high === "number"
    ? [Math.max(0, value - low), Math.max(0, high - value)]
    : undefined;
}
