import { percent } from "@/shared/words/format";

const MOST = 5;
const ROUND = [1, 2, 5, 10];

interface Kind {
  /** True if there is nothing between two numbers: people, steps, seconds. */
  isWhole?: boolean;
  /** True if the axis includes 0, whatever the numbers are. */
  isFromZero?: boolean;
}

/** Props of a recharts axis of numbers: round ticks around the values, each written so that it differs from the next. */
export function axisOf(values: readonly number[], { isWhole = false, isFromZero = true }: Kind = {}) {
  const known = values.filter(Number.isFinite);
  const low = isFromZero ? Math.min(0, ...known) : Math.min(...known);
  const high = Math.max(low, ...known);
  const step = stepOf(high - low || Math.abs(high) || 1, isWhole);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toFixed(digits)),
  );
  const number = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return {
    type: "number" as const,
    domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
    ticks,
    interval: 0 as const,
    allowDecimals: !isWhole,
    tickFormatter: (value: number) => number.format(value),
  };
}

/** Props of an axis of shares, from none to all. */
export const SHARES = {
  type: "number" as const,
  domain: [0, 1],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  interval: 0 as const,
  tickFormatter: percent,
};

/** Returns the smallest round step that cuts the range into at most MOST parts. */
function stepOf(range: number, isWhole: boolean): number {
  const least = range / MOST;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (ROUND.find((round) => round * power >= least * (1 - 1e-9)) ?? 10);
  return isWhole ? Math.max(1, Math.round(step)) : step;
}
