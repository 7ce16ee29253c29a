import { describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import type { Assignment, Draft } from "@/api/types";
import { readRecord } from "./record";
import { type SaveState } from "./sender";
import {
  PREFIX,
  add,
  away,
  body,
  draft,
  pass,
  refused,
  reply,
  setUp,
  start,
  stored,
  task,
  onFakeClock,
} from "./sender.fixture";

onFakeClock();

describe("a draft", () => {
  function atWork(...replies: (Error | Promise<unknown>)[]) {
    const all = setUp(...replies);
    const { sender } = all;
    const states: SaveState[] = [];
    const one = task("one", { draft: { version: 4 } as Draft });
    const lost: Error[] = [];
    start(sender);
    const close = sender.open(
      one,
      () => undefined,
      (error) => lost.push(error),
    );
    sender.subscribe(() => {
      const state = sender.saveState(one);
      if (state !== states.at(-1)) states.push(state);
    });
    return { ...all, states, lost, close, one, keep: (note: string) => sender.keep(one, draft(note)) };
  }

  it("is kept at once, and the newest is sent once, above the server's version", async () => {
    const { keep, saved, states } = atWork();
    keep("a");
    expect([readRecord(`${PREFIX}one`)?.draft, states]).toEqual([{ finish_note: "a", version: 5 }, ["kept"]]);
    await pass(8_000);
    keep("b");
    await pass(6_999);
    expect([saved, states.at(-1)]).toEqual([[], "kept"]);
    await pass(1);
    expect([saved, states]).toEqual([[["b", 5, false]], ["kept", "saving", "saved"]]);
  });

  it("is sent within 15 seconds of the first change, not at each one, however slowly somebody works", async () => {
    const { keep, saved } = atWork();
    for (let second = 0; second < 60; second += 7) {
      keep(`${second}`);
      await pass(7_000);
    }
    expect(saved.map(([note]) => note)).toEqual(["14", "35", "56"]);
  });

  it("is sent soon where this browser has no room for it, and not called saved", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const { keep, saved, states, sender, one } = atWork();
    keep("a");
    expect(states).toEqual(["unsaved"]);
    await pass(400);
    expect([saved.length, states.at(-1)]).toEqual([1, "saved"]);
    sender.submit(one, body);
    await pass(1);
  });

  it("is tried again while offline, together with submissions, and before them", async () => {
    const { keep, saved, sent, states, sender } = atWork(away);
    keep("a");
    await pass(15_000);
    expect([saved.length, states.at(-1)]).toEqual([1, "offline"]);
    sender.submit(task("two"), body);
    await pass(1);
    expect([saved.length, sent.length, states.at(-1)]).toEqual([2, 1, "saved"]);
  });

  it("waits as long as a server asks that is away itself", async () => {
    const { keep, saved, states } = atWork(new ProblemError(503, "The database is away.", "unavailable", {}, 5_000));
    keep("a");
    await pass(15_000);
    expect([saved.length, states.at(-1)]).toEqual([1, "waiting"]);
    await pass(4_900);
    expect(saved.length).toBe(1);
    await pass(200);
    expect([saved.length, states.at(-1)]).toEqual([2, "saved"]);
  });

  it("goes on by itself after a pause", async () => {
    const { keep, saved } = atWork(away);
    keep("a");
    await pass(16_000);
    expect(saved).toEqual([
      ["a", 5, false],
      ["a", 6, false],
    ]);
  });

  it("is given up when the task is somebody else's", async () => {
    const { keep, saved, lost, states } = atWork(refused);
    keep("a");
    await pass(15_000);
    keep("b");
    await pass(20_000);
    expect([saved.length, states.at(-1), lost]).toEqual([1, "lost", [refused]]);
  });

  it("is not kept or sent once its task is submitted, unless that was refused", async () => {
    const { keep, saved, sender, one, close } = atWork(Promise.resolve(reply), refused);
    sender.submit(one, body);
    await pass(1);
    keep("drawn a frame later");
    expect(stored()).toEqual([]);
    sender.submit(one, body);
    await pass(1);
    keep("corrected");
    close();
    expect(saved.map(([note]) => note)).toEqual(["corrected"]);
  });

  it("is sent at once when the page goes, and when the task is left", () => {
    const { keep, saved, close } = atWork();
    keep("a");
    window.dispatchEvent(new Event("pagehide"));
    expect(saved).toEqual([["a", 5, true]]);
    keep("b");
    close();
    expect(saved.slice(1)).toEqual([["b", 6, true]]);
  });

  it("is not sent once the task is submitted", async () => {
    const { keep, saved, sent, sender, one, close } = atWork();
    keep("a");
    sender.submit(one, body);
    close();
    await pass(20_000);
    expect([saved, sent, stored()]).toEqual([[], ["one"], []]);
  });

  it("of a revision stays here", async () => {
    const { sender, saved } = atWork();
    const revised = task("two", { labelling: { id: "x" } as Assignment["labelling"] });
    const close = sender.open(
      revised,
      () => undefined,
      () => undefined,
    );
    sender.keep(revised, draft("a"));
    await pass(20_000);
    close();
    expect([saved, readRecord(`${PREFIX}two`)?.draft]).toEqual([[], draft("a")(1)]);
  });
});

it("keeps what was submitted once more while the first submission was on its way", async () => {
  let answer: (value?: unknown) => void = () => undefined;
  const { sender, sent } = setUp(new Promise((resolve) => (answer = resolve)));
  start(sender);
  await add(sender, "one", "one");
  answer();
  await pass(1);
  expect([sent, stored()]).toEqual([["one", "one"], []]);
});

it("makes a refused submission a draft again, newer than the server's", async () => {
  const { sender } = setUp(refused);
  start(sender);
  await add(sender, "one");
  const [one] = sender.state().refused;
  if (one) sender.takeBack(one, task("one", { draft: { version: 9 } as Draft }));
  expect(sender.state().refused).toEqual([]);
  expect(readRecord(`${PREFIX}one`)).toMatchObject({ draft: { version: 10, ratings: [] } });
});
