import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { client } from "@/api/client";
import { leaseUntil } from "./useAssignment";

const MINUTE = 60_000;
const in_ = (ms: number) => new Date(Date.now() + ms).toISOString();

async function hearFromServer(ahead: number) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    new Response(null, { status: 204, headers: { Date: new Date(Date.now() + ahead).toUTCString() } }),
  );
  await client.DELETE("/api/session/");
}

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z") }));
afterEach(() => vi.useRealTimers());

describe("a lease", () => {
  it("is renewed once less than half of it is left", () => {
    const lease = leaseUntil(in_(30 * MINUTE));
    vi.advanceTimersByTime(15 * MINUTE);
    expect(lease.isHalfOver()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(lease.isHalfOver()).toBe(true);
  });

  it("ends by the server's clock", async () => {
    await hearFromServer(20 * MINUTE);
    const lease = leaseUntil(in_(50 * MINUTE));
    vi.advanceTimersByTime(15 * MINUTE + 1);
    expect(lease.isHalfOver()).toBe(true);
    await hearFromServer(0);
  });

  it("without an end is never renewed", () => {
    expect(leaseUntil(null).isHalfOver()).toBe(false);
  });
});
