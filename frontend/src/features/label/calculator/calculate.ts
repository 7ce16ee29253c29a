/** A number: exact as a fraction in lowest terms (`bottom` > 0), or, where that is not cheap, a float. */
export type Value = { top: bigint; bottom: bigint } | number;

export type Trouble = "unreadable" | "too_long" | "too_large" | "division_by_zero" | "no_real_number" | "not_whole";
type Outcome = { value: Value } | { trouble: Trouble };

/** Thrown where a line has no value; the message is the `Trouble`. */
class NoValue extends Error {
  declare message: Trouble;
}

const LONGEST_LINE = 200;
/** Beyond these an exact result is of no use to a reader, and costs time. */
const MOST_DIGITS = 300;
const LARGEST = 10n ** BigInt(MOST_DIGITS);
const LARGEST_EXPONENT = 1000n;
const LARGEST_FACTORIAL = 170n;

const size = (value: bigint) => (value < 0n ? -value : value);
const digits = (value: bigint) => value.toString().length;
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? size(a) : gcd(b, a % b));

/** top / bottom as a float, even if both exceed a float's range. */
function quotient(top: bigint, bottom: bigint): number {
  const cut = 10n ** BigInt(Math.max(0, Math.min(digits(top), digits(bottom)) - 40));
  return Number(top / cut) / Number(bottom / cut);
}

function toNumber(value: Value): number {
  return typeof value === "number" ? value : quotient(value.top, value.bottom);
}

function float(value: number): number {
  if (Number.isNaN(value)) throw new NoValue("no_real_number");
  if (!Number.isFinite(value)) throw new NoValue("too_large");
  return value;
}

function fraction(top: bigint, bottom = 1n): Value {
  if (bottom === 0n) throw new NoValue("division_by_zero");
  const shared = gcd(top, bottom) * (bottom < 0n ? -1n : 1n);
  const lowest = { top: top / shared, bottom: bottom / shared };
  return size(lowest.top) > LARGEST || lowest.bottom > LARGEST ? float(quotient(top, bottom)) : lowest;
}

function add(a: Value, b: Value): Value {
  if (typeof a === "number" || typeof b === "number") return float(toNumber(a) + toNumber(b));
  return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

function multiply(a: Value, b: Value): Value {
  if (typeof a === "number" || typeof b === "number") return float(toNumber(a) * toNumber(b));
  return fraction(a.top * b.top, a.bottom * b.bottom);
}

const negative = (a: Value) => multiply(a, fraction(-1n));

function inverse(a: Value): Value {
  if (typeof a !== "number") return fraction(a.bottom, a.top);
  if (a === 0) throw new NoValue("division_by_zero");
  return float(1 / a);
}

function power(base: Value, exponent: Value): Value {
  if (typeof base !== "number" && typeof exponent !== "number" && exponent.bottom === 1n) {
    const times = size(exponent.top);
    const length = Math.max(digits(base.top), digits(base.bottom)) * Number(times);
    if (times <= LARGEST_EXPONENT && length <= 2 * MOST_DIGITS) {
      const raised = fraction(base.top ** times, base.bottom ** times);
      return exponent.top < 0n ? inverse(raised) : raised;
    }
  }
  return float(toNumber(base) ** toNumber(exponent));
}

function factorial(value: Value): Value {
  if (typeof value === "number" || value.bottom !== 1n || value.top < 0n) throw new NoValue("not_whole");
  if (value.top > LARGEST_FACTORIAL) throw new NoValue("too_large");
  let product = 1n;
  for (let factor = 2n; factor <= value.top; factor += 1n) product *= factor;
  return fraction(product);
}

function squareRoot(value: Value): Value {
  const near = float(Math.sqrt(toNumber(value)));
  if (typeof value === "number") return near;
  const [top, bottom] = [value.top, value.bottom].map((square) => BigInt(Math.round(Math.sqrt(Number(square)))));
  return top && bottom && top * top === value.top && bottom * bottom === value.bottom ? fraction(top, bottom) : near;
}

const TOKEN =
  /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d*)?(?![\d,]*,\d)(?:e[-+]?\d{1,3})?|\.\d+(?:e[-+]?\d{1,3})?|sqrt|frac|pi|ans|[-+*/^!%()]/g;
const LOOKALIKES = new Map(
  Object.entries({
    ...{ "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "−": "-", "–": "-" },
    ...{ "[": "(", "]": ")", "{": "(", "}": ")", "√": "sqrt", π: "pi", "²": "^2", "³": "^3" },
  }),
);
/** LaTeX that is pasted from a step, and its plain form. */
const LATEX: [RegExp, string][] = [
  [/\\(?:left|right|displaystyle|[,;:! ])|\$/g, ""],
  [/\\(?:cdot|times)/g, "*"],
  [/\\div/g, "/"],
  [/\\[dt]?(frac|sqrt|pi|%)/g, "$1"],
];

function tokensOf(typed: string): string[] {
  const line = LATEX.reduce((text, [sign, plain]) => text.replace(sign, plain), typed)
    .toLowerCase()
    .replaceAll("**", "^")
    .replace(/[^ -~]|[[\]{}]/g, (sign) => LOOKALIKES.get(sign) ?? sign);
  const tokens = line.match(TOKEN) ?? [];
  if (tokens.join("") !== line.replace(/\s/g, "")) throw new NoValue("unreadable");
  return tokens;
}

function numberOf(text: string): Value {
  const [mantissa = "", exponent = "0"] = text.replaceAll(",", "").split("e");
  const [before = "", after = ""] = mantissa.split(".");
  const shift = Number(exponent) - after.length;
  return fraction(BigInt(before + after) * 10n ** BigInt(Math.max(shift, 0)), 10n ** BigInt(Math.max(-shift, 0)));
}

/**
 * A recursive descent, bounded by the length of the line and the caps above.
 *
 *   sum     := product (("+" | "-") product)*
 *   product := signed (("*" | "/") signed | power)*       "2(3+4)" and "2 pi" multiply
 *   signed  := ("-" | "+") signed | power
 *   power   := postfix ("^" signed)?                       from the right; -2^2 is -4
 *   postfix := atom ("!" | "%")*
 *   atom    := number | "pi" | "ans" | "sqrt" atom | "frac" atom atom | "(" sum ")"
 */
function valueOf(tokens: string[], last: Value | undefined): Value {
  let at = 0;
  const take = (...wanted: string[]) => (wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined);

  function sum(): Value {
    let value = product();
    for (let sign; (sign = take("+", "-"));) value = add(value, sign === "-" ? negative(product()) : product());
    return value;
  }
  function product(): Value {
    let value = signed();
    for (;;) {
      const sign = take("*", "/");
      if (sign) value = multiply(value, sign === "/" ? inverse(signed()) : signed());
      else if (/^[a-z(]/.test(tokens[at] ?? "")) value = multiply(value, raised());
      else return value;
    }
  }
  function signed(): Value {
    const sign = take("-", "+");
    if (!sign) return raised();
    return sign === "-" ? negative(signed()) : signed();
  }
  function raised(): Value {
    const base = postfix();
    return take("^") ? power(base, signed()) : base;
  }
  function postfix(): Value {
    let value = atom();
    for (let sign; (sign = take("!", "%"));)
      value = sign === "!" ? factorial(value) : multiply(value, fraction(1n, 100n));
    return value;
  }
  function atom(): Value {
    if (take("pi")) return Math.PI;
    if (last !== undefined && take("ans")) return last;
    if (take("frac")) return multiply(atom(), inverse(atom()));
    if (take("sqrt")) return squareRoot(atom());
    if (take("(")) {
      const value = sum();
      if (!take(")") && tokens[at] !== undefined) throw new NoValue("unreadable");
      return value;
    }
    const token = tokens[at++] ?? "";
    if (!/^[\d.]/.test(token)) throw new NoValue("unreadable");
    return numberOf(token);
  }

  const value = sum();
  if (tokens[at] !== undefined) throw new NoValue("unreadable");
  return value;
}

/**
 * Returns the value of the typed line, or its trouble; `last` is `ans`. Reads + - * / ^ ! % brackets, sqrt, pi, ans,
 * decimals, 1e3, thousands commas, and the same in LaTeX; brackets still open at the end of the line are closed.
 */
export function calculate(typed: string, last?: Value): Outcome {
  try {
    if (typed.length > LONGEST_LINE) throw new NoValue("too_long");
    return { value: valueOf(tokensOf(typed), last) };
  } catch (error) {
    if (error instanceof NoValue) return { trouble: error.message };
    throw error;
  }
}

function decimal(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6))
    return value.toExponential(8).replace(/\.?0+e\+?/, "e");
  return value.toLocaleString("en", { maximumSignificantDigits: 12 });
}

const LONGEST_SHOWN = 40;

/** Formats a value: `1,234`; `5/6 ≈ 0.833333333333`; `≈ 1.41421356237` if not exact. */
export function written(value: Value): string {
  const near = toNumber(value);
  const about = `≈ ${decimal(near)}`;
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 1e15 ? decimal(value) : about;
  const { top, bottom } = value;
  const exact = bottom === 1n ? top.toString() : `${top}/${bottom}`;
  if (exact.length > LONGEST_SHOWN) return about;
  if (bottom === 1n) return top.toLocaleString("en");
  // The decimal expansion ends within the digits shown.
  const isWhole = 10n ** 18n % bottom === 0n && Number(near.toPrecision(12)) === near;
  return isWhole && Math.abs(near) < 1e12 && Math.abs(near) >= 1e-6
    ? `${decimal(near)} = ${exact}`
    : `${exact} ${about}`;
}
