import { describe, expect, it } from "vitest";
import { calculate, written } from "./calculate";

function shown(line: string): string {
  const outcome = calculate(line);
  return "value" in outcome ? written(outcome.value) : outcome.trouble;
}

describe("values", () => {
  it.each([
    ["1+2*3", "7"],
    ["(1+2)*3", "9"],
    ["7 - 2 - 1", "4"],
    ["16/4/2", "2"],
    ["2^3^2", "512"],
    ["-2^2", "-4"],
    ["2^-2", "0.25 = 1/4"],
    ["--3", "3"],
    ["2 * -3", "-6"],
    ["0.1 + 0.2", "0.3 = 3/10"],
    ["1/3 + 1/6", "0.5 = 1/2"],
    ["5/6", "5/6 ≈ 0.833333333333"],
    ["1,234,567 * 2", "2,469,134"],
    ["12,345.5", "12,345.5 = 24691/2"],
    ["20% * 50", "10"],
    ["5!", "120"],
    ["3!!", "720"],
    ["(1+2)!", "6"],
    ["sqrt(144)", "12"],
    ["sqrt 9/16", "0.1875 = 3/16"],
    ["sqrt(9/16)", "0.75 = 3/4"],
    ["sqrt(2)", "≈ 1.41421356237"],
    ["√2 * √2", "≈ 2"],
    ["2pi", "≈ 6.28318530718"],
    ["2(3+4)", "14"],
    ["(1+1)(2+3)", "10"],
    ["3 × 4 ÷ 2 − 1", "5"],
    ["5² + 2³", "33"],
    ["[2+{3}]", "5"],
    ["2**10", "1,024"],
    ["30!", "265,252,859,812,191,058,636,308,480,000,000"],
    ["2^0.5", "≈ 1.41421356237"],
    [".5", "0.5 = 1/2"],
    ["1/7^60", "≈ 1.96841923e-51"],
    ["10^200/10^199", "10"],
    ["0^0", "1"],
    ["1e3 + 2.5e-1", "1,000.25 = 4001/4"],
    ["2(3+4", "14"],
    ["sqrt(2(3+5", "4"],
    ["$\\frac{1}{2} \\cdot \\left(3 \\times 4\\right)$", "6"],
    ["\\dfrac{\\sqrt{9}}{6}", "0.5 = 1/2"],
    ["12 \\div 4\\, + 50\\%", "3.5 = 7/2"],
    ["99999999999999999999 + 1", "100,000,000,000,000,000,000"],
  ])("%s is %s", (line, value) => expect(shown(line)).toBe(value));
});

describe("ans", () => {
  it("is the last value", () => {
    const last = calculate("1/3");
    const outcome = calculate("3ans + 1", "value" in last ? last.value : undefined);
    expect("value" in outcome && written(outcome.value)).toBe("2");
  });
  it("is unreadable before there is a value", () => expect(shown("ans")).toBe("unreadable"));
});

describe("lines without a value say why", () => {
  it.each([
    ["1/0", "division_by_zero"],
    ["0^-1", "division_by_zero"],
    ["1/(1-1)", "division_by_zero"],
    ["1/(pi-pi)", "division_by_zero"],
    ["171!", "too_large"],
    ["99999999!", "too_large"],
    ["9^9^9^9", "too_large"],
    ["170!^170!", "too_large"],
    ["10^400", "too_large"],
    ["sqrt(-1)", "no_real_number"],
    ["(-8)^(1/3)", "no_real_number"],
    ["(1/2)!", "not_whole"],
    ["(-1)!", "not_whole"],
    ["pi!", "not_whole"],
    ["", "unreadable"],
    ["2 +", "unreadable"],
    ["2 3", "unreadable"],
    ["(2 3", "unreadable"],
    ["(1))", "unreadable"],
    ["1)", "unreadable"],
    ["1..2", "unreadable"],
    ["1,23", "unreadable"],
    ["1,2345", "unreadable"],
    ["x + 1", "unreadable"],
    ["alert(1)", "unreadable"],
    ["constructor", "unreadable"],
    ["2e", "unreadable"],
    ["1;2", "unreadable"],
    ["#{1}", "unreadable"],
    ["5 % 3", "unreadable"],
  ])("%s: %s", (line, trouble) => expect(shown(line)).toBe(trouble));
});

describe("nothing takes long", () => {
  it.each([
    "(".repeat(200),
    "-".repeat(199) + "1",
    "5" + "!".repeat(199),
    "9^".repeat(99) + "9",
    "sqrt ".repeat(39) + "2",
    "9".repeat(200),
    `${"9".repeat(99)}^${"9".repeat(99)}`,
    "(9^99)^(9^99)",
    "99^999*99^999",
    "1/3".repeat(1) + "+1/7".repeat(49),
    "9999!^9999!",
    "170!".concat("*170!".repeat(30)),
    `1/${"(1/".repeat(40)}3${")".repeat(40)}`,
  ])("%s", (line) => {
    const started = performance.now();
    shown(line);
    expect(performance.now() - started).toBeLessThan(200);
  });
  it("refuses long lines", () => expect(shown("1".repeat(201))).toBe("too_long"));
});
