import {
  add,
  factorial,
  fraction,
  inverse,
  multiply,
  negative,
  NoValue,
  power,
  squareRoot,
  toNumber,
  type Trouble,
  type Value,
} from "./fraction";

/**
 * What the annotator types, and nothing else: + - * / ^ ! % brackets, sqrt, pi, ans, decimals, 1e3, thousands commas, and
 * the same in LaTeX. What is still open at the end of the line is closed.
 * A recursive descent over tokens; bounded by the length of the line and by the caps of `fraction.ts`.
 *
 *   sum     := product (("+" | "-") product)*
 *   product := signed (("*" | "/") signed | power)*       "2(3+4)" and "2 pi" multiply
 *   signed  := ("-" | "+") signed | power
 *   power   := postfix ("^" signed)?                       from the right; -2^2 is -4
 *   postfix := atom ("!" | "%")*
 *   atom    := number | "pi" | "ans" | "sqrt" atom | "frac" atom atom | "(" sum ")"
 */
export const LONGEST_LINE = 200;

export type Outcome = { value: Value } | { trouble: Trouble | "unreadable" | "too_long"; at: number };

class Unreadable extends Error {
  readonly at: number;
  constructor(at: number) {
    super("unreadable");
    this.at = at;
  }
}

interface Token {
  text: string;
  at: number;
}

const TOKEN =
  /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d*)?(?![\d,]*,\d)(?:e[-+]?\d{1,3})?|\.\d+(?:e[-+]?\d{1,3})?|sqrt|frac|pi|ans|[-+*/^!%()]/y;
const LOOKALIKES: Record<string, string> = {
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∗": "*",
  "÷": "/",
  "∕": "/",
  "⁄": "/",
  "−": "-",
  "–": "-",
  "√": "sqrt",
  π: "pi",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
  "²": "^2",
  "³": "^3",
};

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(line)?.[0];
    if (found === undefined) throw new Unreadable(at);
    tokens.push({ text: found, at });
    at += found.length;
  }
  return tokens;
}

function numberOf(text: string): Value {
  const [digits = "", exponent = "0"] = text.replaceAll(",", "").split("e");
  const [before = "", after = ""] = digits.split(".");
  const shift = Number(exponent) - after.length;
  return fraction(BigInt(before + after) * 10n ** BigInt(Math.max(shift, 0)), 10n ** BigInt(Math.max(-shift, 0)));
}

class Parser {
  private position = 0;
  private readonly tokens: Token[];
  private readonly end: number;

  private readonly last: Value | undefined;

  constructor(line: string, last: Value | undefined) {
    this.last = last;
    this.tokens = tokensOf(line);
    this.end = line.length;
  }

  whole(): Value {
    const value = this.sum();
    if (this.next !== undefined) throw this.unreadable();
    return value;
  }

  private get next(): string | undefined {
    return this.tokens[this.position]?.text;
  }

  private unreadable(): Unreadable {
    return new Unreadable(this.tokens[this.position]?.at ?? this.end);
  }

  private take(...wanted: string[]): string | null {
    const found = this.next;
    if (found === undefined || !wanted.includes(found)) return null;
    this.position += 1;
    return found;
  }

  private sum(): Value {
    let value = this.product();
    for (let sign = this.take("+", "-"); sign !== null; sign = this.take("+", "-")) {
      const other = this.product();
      value = add(value, sign === "-" ? negative(other) : other);
    }
    return value;
  }

  private product(): Value {
    let value = this.signed();
    for (;;) {
      const sign = this.take("*", "/");
      if (sign !== null) {
        const other = this.signed();
        value = multiply(value, sign === "/" ? inverse(other) : other);
      } else if (this.next !== undefined && /^[a-z(]/.test(this.next)) value = multiply(value, this.power());
      else return value;
    }
  }

  private signed(): Value {
    const sign = this.take("-", "+");
    if (sign === null) return this.power();
    return sign === "-" ? negative(this.signed()) : this.signed();
  }

  private power(): Value {
    const base = this.postfix();
    return this.take("^") === null ? base : power(base, this.signed());
  }

  private postfix(): Value {
    let value = this.atom();
    for (let sign = this.take("!", "%"); sign !== null; sign = this.take("!", "%")) {
      value = sign === "!" ? factorial(value) : multiply(value, fraction(1n, 100n));
    }
    return value;
  }

  private atom(): Value {
    if (this.take("pi") !== null) return Math.PI;
    if (this.last !== undefined && this.take("ans") !== null) return this.last;
    if (this.take("frac") !== null) return multiply(this.atom(), inverse(this.atom()));
    if (this.take("sqrt") !== null) return squareRoot(this.atom());
    if (this.take("(") !== null) {
      const value = this.sum();
      if (this.take(")") === null && this.next !== undefined) throw this.unreadable();
      return value;
    }
    if (this.next === undefined || !/^[\d.]/.test(this.next)) throw this.unreadable();
    const value = numberOf(this.next);
    this.position += 1;
    return value;
  }
}

/** What is pasted from a step. */
const LATEX: [RegExp, string][] = [
  [/\\(?:left|right|displaystyle|[,;:! ])|\$/g, ""],
  [/\\(?:cdot|times)/g, "*"],
  [/\\div/g, "/"],
  [/\\[dt]?(frac|sqrt|pi|%)/g, "$1"],
];

/** The value of a line, or what is wrong with it; `last` is `ans`. Never throws and never takes long. */
export function calculate(typed: string, last?: Value): Outcome {
  if (typed.length > LONGEST_LINE) return { trouble: "too_long", at: LONGEST_LINE };
  const line = LATEX.reduce((text, [sign, plain]) => text.replace(sign, plain), typed)
    .toLowerCase()
    .replaceAll("**", "^")
    .replace(/[^ -~]|[[\]{}]/g, (sign) => LOOKALIKES[sign] ?? sign);
  try {
    return { value: new Parser(line, last).whole() };
  } catch (error) {
    if (error instanceof NoValue) return { trouble: error.trouble, at: 0 };
    if (error instanceof Unreadable) return { trouble: "unreadable", at: error.at };
    throw error;
  }
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

function decimalOf(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential(8).replace(/\.?0+e\+?/, "e");
  const [before = "", after = ""] = String(Number(value.toPrecision(12))).split(".");
  return grouped(before) + (after && `.${after}`);
}

const LONGEST_SHOWN = 40;

/** `1,234`; `5/6 ≈ 0.833333333333`; `≈ 1.41421356237` for what is not exact. */
export function written(value: Value): string {
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? decimalOf(value) : `≈ ${decimalOf(value)}`;
  const { top, bottom } = value;
  const near = toNumber(value);
  if (bottom === 1n) return top.toString().length > LONGEST_SHOWN ? `≈ ${decimalOf(near)}` : grouped(top.toString());
  const isDecimal =
    /^2*5*$/.test(primesOf(bottom)) &&
    Number(near.toPrecision(12)) === near &&
    Math.abs(near) < 1e12 &&
    Math.abs(near) >= 1e-6;
  const exact = `${top}/${bottom}`;
  if (exact.length > LONGEST_SHOWN) return `≈ ${decimalOf(near)}`;
  return isDecimal ? `${decimalOf(near)} = ${exact}` : `${exact} ≈ ${decimalOf(near)}`;
}

/** The 2s and 5s of a denominator, and an `x` if there is anything else. */
function primesOf(value: bigint): string {
  let found = "";
  for (const prime of [2n, 5n]) {
    while (value % prime === 0n) {
      value /= prime;
      found += prime.toString();
    }
  }
  return found + (value === 1n ? "" : "x");
}
