import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import { draftSaver, type SaveState } from "./draftSaver";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp(...replies: (Error | null)[]) {
  const sent: [string, number, boolean][] = [];
  const states: SaveState[] = [];
  const saver = draftSaver<string>({
    version: 4,
    send: (content, version, isLeaving) => {
      sent.push([content, version, isLeaving]);
      const reply = replies.shift();
      return reply ? Promise.reject(reply) : Promise.resolve();
    },
    onState: (state) => states.push(state),
  });
  return { saver, sent, states };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("saving a draft", () => {
  it("waits for a pause and sends the newest once, above the server's version", async () => {
    const { saver, sent, states } = setUp();
    saver.schedule("a");
    await pass(300);
    saver.schedule("b");
    await pass(500);
    expect(sent).toEqual([["b", 5, false]]);
    expect(states.at(-1)).toBe("saved");
  });

  it("keeps trying while offline", async () => {
    const { saver, sent, states } = setUp(new ProblemError(0, "offline"));
    saver.schedule("a");
    await pass(500);
    expect(states.at(-1)).toBe("offline");
    await pass(5000);
    expect([sent.length, states.at(-1)]).toEqual([2, "saved"]);
  });

  it("stops when the task is somebody else's", async () => {
    const { saver, sent, states } = setUp(new ProblemError(409, "taken"));
    saver.schedule("a");
    await pass(500);
    saver.schedule("b");
    await pass(9000);
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
    await pass(1000);
    expect(sent).toEqual([]);
    saver.schedule("b");
    await pass(500);
    expect(sent).toEqual([["b", 5, false]]);
  });
});
