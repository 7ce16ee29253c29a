import { expect, it } from "vitest";
import { activeClock, IDLE_AFTER_MS } from "./useActiveTime";

it("counts while the page is visible", () => expect(activeClock(0).take(5000, true)).toBe(5000));

it("does not count the same time twice", () => {
  const clock = activeClock(0);
  expect([clock.take(3000, true), clock.take(5000, true)]).toEqual([3000, 2000]);
});

it("does not count a hidden page", () => {
  const clock = activeClock(0);
  expect([clock.take(4000, false), clock.take(5000, true)]).toEqual([0, 1000]);
});

it("stops a minute after the last sign of life, and starts again with the next", () => {
  const clock = activeClock(0);
  clock.touch(10_000);
  expect(clock.take(500_000, true)).toBe(10_000 + IDLE_AFTER_MS);
  expect(clock.isIdle(500_000)).toBe(true);
  clock.touch(500_000);
  expect(clock.take(501_000, true)).toBe(1000);
});
