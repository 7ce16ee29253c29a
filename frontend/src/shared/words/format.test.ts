import { describe, expect, it } from "vitest";
import { between, inOwnZone } from "./format";

describe("a log in its reader's zone", () => {
  const lines = [
    "2026-03-02T12:00:00+00:00 training",
    "2026-03-02T14:00:00+02:00 training",
    "Traceback 2026-03-02T12:00:00+00:00",
    "2026-03-02 12:00:00 before zones were kept",
  ];
  const [first = "", second, third, fourth] = inOwnZone(lines.join("\n")).split("\n");

  it("tells each line's time, and in which zone that is", () => {
    const at = new Date("2026-03-02T12:00:00Z");
    expect(first).toContain(`${String(at.getHours()).padStart(2, "0")}:00:00`);
    expect(first).toMatch(/^2026-03-0\d \d\d:00:00 \S+ training$/);
    expect(second).toBe(first);
  });

  it("leaves the rest alone", () => expect([third, fourth]).toEqual(lines.slice(2)));
});

it("writes an interval, or nothing", () => {
  expect(between([0.5, 0.7501])).toBe("0.500 to 0.750");
  expect([between(null), between(undefined), between([])]).toEqual(["", "", ""]);
});
