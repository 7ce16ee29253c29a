import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import type { Submission, Submitted } from "@/api/types";
import { createOutbox, type Entry, type Outbox, type OutboxEvent } from "./outbox";

const PREFIX = "outbox.ada.";
const body: Submission = {
  ratings: [],
  finish_reason: "solution",
  finish_note: "",
  solution_progress: "",
  active_ms: 0,
};
const PROGRESS = {
  today: 1,
  this_round: 1,
  total: 1,
  round_number: 0,
  round_done: 1,
  round_wanted: 1,
  median_ms: null,
  quality: null,
  answers: 0,
};
const reply = {
  labelling_id: "x",
  checks: [],
  screening: null,
  feedback: null,
  next: { assignment: null, reason: "nothing_left" },
  ahead: null,
  progress: PROGRESS,
} satisfies Submitted;
const away = new ProblemError(0, "Failed to fetch");
const refused = new ProblemError(409, "This round was closed.");

let stops: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  stops = [];
});
afterEach(() => {
  stops.forEach((stop) => stop());
  vi.useRealTimers();
});

/** Each reply is for one request: an error, a promise to wait for, or, when there are none left, success. */
function setUp(...replies: (Error | Promise<unknown>)[]) {
  const sent: string[] = [];
  const events: OutboxEvent[] = [];
  const outbox = createOutbox({
    prefix: PREFIX,
    isFinal: () => Promise.resolve(true),
    send: async (entry: Entry) => {
      sent.push(entry.assignment);
      const next = replies.shift();
      if (next instanceof Error) throw next;
      await next;
      return reply;
    },
  });
  outbox.subscribe((event) => event && events.push(event));
  return { outbox, sent, events };
}

async function add(outbox: Outbox, ...assignments: string[]) {
  for (const assignment of assignments) {
    outbox.add({ assignment, phase: "algebra", title: assignment, mirror: `draft.${assignment}`, body });
    await vi.advanceTimersByTimeAsync(1);
  }
}

const start = (outbox: Outbox) => stops.push(outbox.start());
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
const names = (entries: readonly Entry[]) => entries.map((entry) => entry.assignment);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("sending", () => {
  it("takes over what another tab left behind when it closed", async () => {
    const { outbox, sent } = setUp();
    start(outbox);
    const key = `${PREFIX}000000000000001.one`;
    localStorage.setItem(
      key,
      JSON.stringify({ key, assignment: "one", phase: "algebra", title: "one", mirror: "draft.one", body }),
    );
    window.dispatchEvent(new StorageEvent("storage", { key }));
    await pass(1);
    expect(sent).toEqual(["one"]);
    expect(stored()).toEqual([]);
  });

  it("happens at once, and leaves neither entry nor mirror behind", async () => {
    const { outbox, sent, events } = setUp();
    start(outbox);
    localStorage.setItem("draft.one", "…");
    await add(outbox, "one");
    expect([sent, stored(), localStorage.getItem("draft.one")]).toEqual([["one"], [], null]);
    expect(events.map((event) => event.type)).toEqual(["added", "delivered"]);
  });

  it("keeps the order, one at a time", async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const { outbox, sent } = setUp(new Promise((resolve) => (answer = resolve)));
    start(outbox);
    await add(outbox, "one", "two");
    expect(sent).toEqual(["one"]);
    answer();
    await pass(1);
    expect(sent).toEqual(["one", "two"]);
  });

  it("waits until somebody starts it", async () => {
    const { outbox, sent } = setUp();
    await add(outbox, "one");
    expect(sent).toEqual([]);
    start(outbox);
    await pass(1);
    expect(sent).toEqual(["one"]);
  });

  it("goes on with what an earlier page has left", async () => {
    await add(setUp().outbox, "one", "two");
    const { outbox, sent } = setUp();
    expect(names(outbox.state().waiting)).toEqual(["one", "two"]);
    start(outbox);
    await pass(1);
    expect(sent).toEqual(["one", "two"]);
  });
});

describe("without the network", () => {
  it("tries again, ever more patiently", async () => {
    const { outbox, sent } = setUp(away, away, away);
    start(outbox);
    await add(outbox, "one");
    expect(outbox.state().trouble).toBe(away);
    await pass(1000);
    await pass(2000);
    expect(sent).toHaveLength(3);
    await pass(3900);
    expect(sent).toHaveLength(3);
    await pass(100);
    expect([sent.length, outbox.state().trouble, stored()]).toEqual([4, null, []]);
  });

  it("tries at once when it is back", async () => {
    const { outbox, sent } = setUp(away);
    start(outbox);
    await add(outbox, "one");
    window.dispatchEvent(new Event("online"));
    await pass(1);
    expect(sent).toEqual(["one", "one"]);
  });

  it("does not let a later one overtake", async () => {
    const { outbox, sent } = setUp(away, away);
    start(outbox);
    await add(outbox, "one", "two");
    expect(sent).toEqual(["one", "one"]);
    await pass(10_000);
    expect(sent.slice(2)).toEqual(["one", "two"]);
  });

  it("stops for good when it is stopped", async () => {
    const { outbox, sent } = setUp(away);
    const stop = outbox.start();
    await add(outbox, "one");
    stop();
    await pass(60_000);
    expect([sent.length, stored().length]).toEqual([1, 1]);
  });
});

describe("a refusal", () => {
  it("is kept with the server's words, and holds nothing up", async () => {
    const { outbox, sent, events } = setUp(refused);
    start(outbox);
    await add(outbox, "one", "two");
    expect(sent).toEqual(["one", "two"]);
    expect(outbox.state().refused).toMatchObject([{ assignment: "one", refusal: "This round was closed." }]);
    expect(events.map((event) => event.type)).toEqual(["added", "refused", "added", "delivered"]);
    expect(names(setUp().outbox.state().refused)).toEqual(["one"]);
  });

  it("goes when it is discarded", async () => {
    const { outbox } = setUp(refused);
    start(outbox);
    await add(outbox, "one");
    outbox.discard(outbox.state().refused[0]?.key ?? "");
    expect([outbox.state().refused, stored()]).toEqual([[], []]);
  });

  it.each([401, 403, 404])("of status %i that is meant for somebody else leaves the entry waiting", async (status) => {
    const outbox = createOutbox({
      prefix: PREFIX,
      isFinal: () => Promise.resolve(false),
      send: () => Promise.reject(new ProblemError(status, "no")),
    });
    start(outbox);
    await add(outbox, "one");
    expect([outbox.state().refused, names(outbox.state().waiting)]).toEqual([[], ["one"]]);
  });
});

describe("two tabs", () => {
  /** As in browsers: one holder at a time, the others wait in line. */
  function lockManager() {
    let last = Promise.resolve();
    return { request: (_: string, work: () => Promise<void>) => (last = last.then(work)) };
  }

  it("send each submission once", async () => {
    vi.stubGlobal("navigator", { locks: lockManager() });
    let answer: (value?: unknown) => void = () => undefined;
    const [one, two] = [setUp(new Promise((resolve) => (answer = resolve))), setUp()];
    start(one.outbox);
    start(two.outbox);
    await add(one.outbox, "a");
    await add(two.outbox, "b");
    expect([one.sent, two.sent]).toEqual([["a"], []]);
    answer();
    await pass(1);
    expect([...one.sent, ...two.sent]).toEqual(["a", "b"]);
    vi.unstubAllGlobals();
  });
});

it("keeps in memory what the storage has no room for", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const { outbox, sent } = setUp(away);
  start(outbox);
  await add(outbox, "one");
  expect(names(outbox.state().waiting)).toEqual(["one"]);
  await pass(1000);
  expect([sent, outbox.state().waiting]).toEqual([["one", "one"], []]);
});
