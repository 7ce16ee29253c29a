import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import { draftSaver, type SaveState } from "./draftSaver";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp(replies: (Error | null)[] = [], hasRoom = true) {
  const kept: [string, number][] = [];
  const sent: [string, number, boolean][] = [];
  const states: SaveState[] = [];
  const saver = draftSaver<string>({
    version: 4,
    send: (content, version, isLeaving) => {
      sent.push([content, version, isLeaving]);
      const reply = replies.shift();
      return reply ? Promise.reject(reply) : Promise.resolve();
    },
    keep: (content, version) => kept.push([content, version]) > 0 && hasRoom,
    onState: (state) => states.push(state),
  });
  return { saver, kept, sent, states };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("saving a draft", () => {
  it("keeps it at once, waits and sends the newest once, above the server's version", async () => {
    const { saver, kept, sent, states } = setUp();
    saver.schedule("a");
    expect([kept, states]).toEqual([[["a", 5]], ["kept"]]);
    await pass(8_000);
    saver.schedule("b");
    await pass(6_999);
    expect([sent, states.at(-1)]).toEqual([[], "kept"]);
    await pass(1);
    expect(sent).toEqual([["b", 5, false]]);
    expect(states.slice(-2)).toEqual(["saving", "saved"]);
  });

  it("sends within 15 seconds of the first change, not at each one, however slowly somebody works", async () => {
    const { saver, sent } = setUp();
    for (let second = 0; second < 60; second += 7) {
      saver.schedule(`${second}`);
      await pass(7_000);
    }
    expect(sent.map(([content]) => content)).toEqual(["14", "35", "56"]);
  });

  it("sends soon what this browser has no room for, and does not call it saved", async () => {
    const { saver, sent, states } = setUp([], false);
    saver.schedule("a");
    expect(states).toEqual(["unsaved"]);
    await pass(400);
    expect([sent.length, states.at(-1)]).toEqual([1, "saved"]);
  });

  it("keeps trying while offline", async () => {
    const { saver, sent, states } = setUp([new ProblemError(0, "offline")]);
    saver.schedule("a");
    await pass(15_000);
    expect(states.at(-1)).toBe("offline");
    await pass(5_000);
    expect([sent.length, states.at(-1)]).toEqual([2, "saved"]);
  });

  it("stops when the task is somebody else's", async () => {
    const { saver, sent, states } = setUp([new ProblemError(409, "taken")]);
    saver.schedule("a");
    await pass(15_000);
    saver.schedule("b");
    await pass(20_000);
    expect([sent.length, states.at(-1)]).toEqual([1, "lost"]);
  });

  it("sends at once when the page goes", () => {
    const { saver, sent } = setUp();
    saver.schedule("a");
    saver.leave();
    expect(sent).toEqual([["a", 5, true]]);
  });

  it("sends nothing while paused", async () => {
    const { saver, sent } = setUp();
    saver.schedule("a");
    saver.pause();
    await pass(20_000);
    expect(sent).toEqual([]);
    saver.schedule("b");
    await pass(5_000);
    expect(sent).toEqual([["b", 5, false]]);
  });
});
