/** A number: exact as a fraction in lowest terms (`bottom` > 0), or, where that is not cheap, a float. */
export type Value = { top: bigint; bottom: bigint } | number;

/** Beyond this an exact result is of no use to a reader, and costs time. */
const MOST_DIGITS = 300;
const LARGEST = 10n ** BigInt(MOST_DIGITS);
const LARGEST_EXPONENT = 1000n;
const LARGEST_FACTORIAL = 170n;

export type Trouble = "division_by_zero" | "too_large" | "no_real_number" | "not_whole";

export class NoValue extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

export function whole(value: bigint): Value {
  return { top: value, bottom: 1n };
}

function digits(value: bigint): number {
  return value.toString().length;
}

/** A float near top / bottom, also where each of them is beyond a float. */
function quotient(top: bigint, bottom: bigint): number {
  const cut = 10n ** BigInt(Math.max(0, Math.min(digits(top), digits(bottom)) - 40));
  return Number(top / cut) / Number(bottom / cut);
}

export function toNumber(value: Value): number {
  return typeof value === "number" ? value : quotient(value.top, value.bottom);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

function isHuge(value: bigint): boolean {
  return value > LARGEST || value < -LARGEST;
}

/** In lowest terms; a float where the terms get too long. Throws NoValue. */
export function fraction(top: bigint, bottom: bigint): Value {
  if (bottom === 0n) throw new NoValue("division_by_zero");
  const shared = gcd(top, bottom) * (bottom < 0n ? -1n : 1n);
  const lowest = { top: top / shared, bottom: bottom / shared };
  return isHuge(lowest.top) || isHuge(lowest.bottom) ? float(quotient(top, bottom)) : lowest;
}

export function float(value: number): number {
  if (Number.isNaN(value)) throw new NoValue("no_real_number");
  if (!Number.isFinite(value)) throw new NoValue("too_large");
  return value;
}

export function add(a: Value, b: Value): Value {
  if (typeof a === "number" || typeof b === "number") return float(toNumber(a) + toNumber(b));
  return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === "number" || typeof b === "number") return float(toNumber(a) * toNumber(b));
  return fraction(a.top * b.top, a.bottom * b.bottom);
}

export function inverse(a: Value): Value {
  if (typeof a !== "number") return fraction(a.bottom, a.top);
  if (a === 0) throw new NoValue("division_by_zero");
  return float(1 / a);
}

export function negative(a: Value): Value {
  return multiply(a, whole(-1n));
}

export function power(base: Value, exponent: Value): Value {
  const isExact = typeof base !== "number" && typeof exponent !== "number" && exponent.bottom === 1n;
  if (!isExact) return float(toNumber(base) ** toNumber(exponent));
  const times = exponent.top < 0n ? -exponent.top : exponent.top;
  const length = Math.max(digits(base.top), digits(base.bottom)) * Number(times);
  if (times > LARGEST_EXPONENT || length > 2 * MOST_DIGITS) return float(toNumber(base) ** toNumber(exponent));
  const raised = fraction(base.top ** times, base.bottom ** times);
  return exponent.top < 0n ? inverse(raised) : raised;
}

export function factorial(value: Value): Value {
  if (typeof value === "number" || value.bottom !== 1n || value.top < 0n) throw new NoValue("not_whole");
  if (value.top > LARGEST_FACTORIAL) throw new NoValue("too_large");
  let product = 1n;
  for (let factor = 2n; factor <= value.top; factor += 1n) product *= factor;
  return whole(product);
}

/** The whole root of a square number, or null. Newton's method. */
function wholeRoot(square: bigint): bigint | null {
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root * root === square ? root : null;
    root = next;
  }
}

export function squareRoot(value: Value): Value {
  if (toNumber(value) < 0) throw new NoValue("no_real_number");
  if (typeof value === "number") return float(Math.sqrt(value));
  const top = wholeRoot(value.top);
  const bottom = wholeRoot(value.bottom);
  return top === null || bottom === null ? float(Math.sqrt(toNumber(value))) : { top, bottom };
}
