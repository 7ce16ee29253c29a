/** The reader's time zone: days are theirs. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

// The language and spelling of the texts around them.
const LOCALE = "en-GB";
const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const thisYear = new Intl.DateTimeFormat(LOCALE, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const logTime = new Intl.DateTimeFormat("sv", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const otherYear = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full", timeStyle: "long" });

export function count(value: number): string {
  return number.format(value);
}

export function sumOf<Row>(rows: readonly Row[], valueOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + valueOf(row), 0);
}

/** `1 task`, `2 tasks` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function decimal(value: number | null | undefined, digits = 3): string {
  return typeof value === "number" && Number.isFinite(value) ? value.toFixed(digits) : "–";
}

/** `0.727 to 0.875`; "" where it is not known. */
export function between(
  interval: readonly number[] | null | undefined,
  format: (value: number) => string = decimal,
): string {
  const [low, high] = interval ?? [];
  return low === undefined || high === undefined ? "" : `${format(low)} to ${format(high)}`;
}

/** A score between 0 and 1: very small ones keep two significant digits. */
export function score(value: number | null | undefined): string {
  if (typeof value !== "number") return "–";
  return value !== 0 && value < 0.001 ? value.toExponential(1) : value.toFixed(3);
}

const SIZES = ["bytes", "kB", "MB", "GB", "TB"];

/** `1.5 MB` */
export function bytes(size: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), SIZES.length - 1);
  const value = size / 1024 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : count(Math.floor(value))} ${SIZES[step] ?? ""}`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Converts the times at which a log's lines begin, and which name their zone, to the reader's zone. */
export function inOwnZone(log: string): string {
  return log.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)(?= )/gm, (time) =>
    logTime.format(new Date(time)),
  );
}

export function when(iso: string | null | undefined): string {
  if (!iso) return "–";
  const date = new Date(iso);
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(date);
}

/** Formats a time to the second, with the time zone. */
export function moment(iso: string): string {
  return exact.format(new Date(iso));
}
