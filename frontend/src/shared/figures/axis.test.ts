import { describe, expect, it } from "vitest";
import { axisOf, SHARES } from "./axis";

const written = (...given: Parameters<typeof axisOf>) => {
  const { ticks, tickFormatter } = axisOf(...given);
  return ticks.map(tickFormatter);
};

describe("the ticks of an axis", () => {
  it.each([
    [[1], { isWhole: true }, ["0", "1"]],
    [[2, 1], { isWhole: true }, ["0", "1", "2"]],
    [[7, 12], { isWhole: true }, ["0", "5", "10", "15"]],
    [[48_000], { isWhole: true }, ["0", "10,000", "20,000", "30,000", "40,000", "50,000"]],
    [[0.004], {}, ["0.000", "0.001", "0.002", "0.003", "0.004"]],
    [[1.3], {}, ["0.0", "0.5", "1.0", "1.5"]],
    [[0.801, 0.804], { isFromZero: false }, ["0.801", "0.802", "0.803", "0.804"]],
    [[41, 42], { isWhole: true, isFromZero: false }, ["41", "42"]],
    [[], { isWhole: true }, ["0", "1"]],
  ])("of %j, %j are %j", (values, kind, ticks) => expect(written(values, kind)).toEqual(ticks));

  it("never repeat and always hold the values", () => {
    for (let exponent = -6; exponent < 7; exponent += 0.13) {
      for (const isFromZero of [true, false]) {
        for (const isWhole of exponent > 0 ? [true, false] : [false]) {
          const values = [10 ** exponent, 10 ** exponent * 1.07].map((value) => (isWhole ? Math.ceil(value) : value));
          const { domain, ticks } = axisOf(values, { isWhole, isFromZero });
          const texts = written(values, { isWhole, isFromZero });
          expect(new Set(texts).size, texts.join()).toBe(ticks.length);
          expect(ticks.length).toBeLessThanOrEqual(7);
          expect(domain[0]).toBeLessThanOrEqual(Math.min(...values) * (1 + 1e-9));
          expect(domain[1]).toBeGreaterThanOrEqual(Math.max(...values) * (1 - 1e-9));
        }
      }
    }
  });

  it("of one value, not from zero, are around it", () => {
    const { domain } = axisOf([0.8], { isFromZero: false });
    expect(domain[0]).toBeLessThanOrEqual(0.8);
    expect(domain[1]).toBeGreaterThan(0.8);
  });

  it("of nothing go from 0 to 1", () => expect(axisOf([], { isFromZero: false }).domain).toEqual([0, 1]));

  it("of different shares stay between 0 and 1", () => {
    for (let low = 0; low < 0.99; low += 0.013) {
      for (const reach of [0.01, 0.07, 0.3, 1]) {
        const [first = -1, last = 2] = axisOf([low, Math.min(1, low + reach)], { isFromZero: false }).domain;
        expect([first >= 0, last <= 1]).toEqual([true, true]);
      }
    }
  });

  it("of shares are shares", () =>
    expect(SHARES.ticks.map(SHARES.tickFormatter)).toEqual(["0 %", "25 %", "50 %", "75 %", "100 %"]));
});
