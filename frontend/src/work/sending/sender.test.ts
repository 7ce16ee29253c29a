import { describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import { readRecord } from "./record";
import { createSender } from "./sender";
import {
  PREFIX,
  add,
  away,
  body,
  draft,
  names,
  pass,
  refused,
  setUp,
  start,
  stored,
  task,
  onFakeClock,
} from "./sender.fixture";

onFakeClock();

describe("sending", () => {
  it("takes over what another tab left behind when it closed", async () => {
    const { sender, sent } = setUp();
    start(sender);
    const key = `${PREFIX}one`;
    const record = { key, assignment: "one", phase: "algebra", title: "one", submission: { body, at: 1 } };
    localStorage.setItem(key, JSON.stringify(record));
    window.dispatchEvent(new StorageEvent("storage", { key }));
    await pass(1);
    expect(sent).toEqual(["one"]);
    expect(stored()).toEqual([]);
  });

  it("happens at once, and leaves nothing behind", async () => {
    const { sender, sent, events } = setUp();
    start(sender);
    sender.keep(task("one"), draft("a"));
    await add(sender, "one");
    expect([sent, stored()]).toEqual([["one"], []]);
    expect(events.map((event) => event.type)).toEqual(["added", "delivered"]);
  });

  it("keeps the order, one at a time", async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const { sender, sent } = setUp(new Promise((resolve) => (answer = resolve)));
    start(sender);
    await add(sender, "one", "two");
    expect(sent).toEqual(["one"]);
    answer();
    await pass(1);
    expect(sent).toEqual(["one", "two"]);
  });

  it("waits until somebody starts it", async () => {
    const { sender, sent } = setUp();
    await add(sender, "one");
    expect(sent).toEqual([]);
    start(sender);
    await pass(1);
    expect(sent).toEqual(["one"]);
  });

  it("goes on with what an earlier page has left", async () => {
    await add(setUp().sender, "one", "two");
    const { sender, sent } = setUp();
    expect(names(sender.state().waiting)).toEqual(["one", "two"]);
    start(sender);
    await pass(1);
    expect(sent).toEqual(["one", "two"]);
  });
});

describe("without the network", () => {
  it("tries again, ever more patiently", async () => {
    const { sender, sent } = setUp(away, away, away);
    start(sender);
    await add(sender, "one");
    expect(sender.state().trouble).toBe(away);
    await pass(1000);
    await pass(2000);
    expect(sent).toHaveLength(3);
    await pass(3900);
    expect(sent).toHaveLength(3);
    await pass(100);
    expect([sent.length, sender.state().trouble, stored()]).toEqual([4, null, []]);
  });

  it("tries at once when it is back", async () => {
    const { sender, sent } = setUp(away);
    start(sender);
    await add(sender, "one");
    window.dispatchEvent(new Event("online"));
    await pass(1);
    expect(sent).toEqual(["one", "one"]);
  });

  it("does not let a later one overtake", async () => {
    const { sender, sent } = setUp(away, away);
    start(sender);
    await add(sender, "one", "two");
    expect(sent).toEqual(["one", "one"]);
    await pass(10_000);
    expect(sent.slice(2)).toEqual(["one", "two"]);
  });

  it("stops for good when it is stopped", async () => {
    const { sender, sent } = setUp(away);
    const stop = sender.start();
    await add(sender, "one");
    stop();
    await pass(60_000);
    expect([sent.length, stored().length]).toEqual([1, 1]);
  });
});

describe("a refusal", () => {
  it("is kept with the server's words, and holds nothing up", async () => {
    const { sender, sent, events } = setUp(refused);
    start(sender);
    await add(sender, "one", "two");
    expect(sent).toEqual(["one", "two"]);
    expect(sender.state().refused).toMatchObject([
      { assignment: "one", submission: { refusal: "This round was closed." } },
    ]);
    expect(events.map((event) => event.type)).toEqual(["added", "refused", "added", "delivered"]);
    expect(names(setUp().sender.state().refused)).toEqual(["one"]);
  });

  it("goes when it is discarded", async () => {
    const { sender } = setUp(refused);
    start(sender);
    await add(sender, "one");
    const [one] = sender.state().refused;
    if (one) sender.discard(one);
    expect([sender.state().refused, readRecord(`${PREFIX}one`)?.submission]).toEqual([[], undefined]);
  });

  it.each([401, 403, 404])("of status %i that is meant for somebody else leaves the entry waiting", async (status) => {
    const no = () => Promise.reject(new ProblemError(status, "no"));
    const sender = createSender({ user: "ada", isFinal: () => Promise.resolve(false), save: no, submit: no });
    start(sender);
    await add(sender, "one");
    expect([sender.state().refused, names(sender.state().waiting)]).toEqual([[], ["one"]]);
  });
});

describe("two tabs", () => {
  /** Behaves as in browsers: one holder at a time, the others wait in line. */
  function lockManager() {
    let last = Promise.resolve();
    return { request: (_: string, work: () => Promise<void>) => (last = last.then(work)) };
  }

  it("send each submission once", async () => {
    vi.stubGlobal("navigator", { locks: lockManager() });
    let answer: (value?: unknown) => void = () => undefined;
    const [one, two] = [setUp(new Promise((resolve) => (answer = resolve))), setUp()];
    start(one.sender);
    start(two.sender);
    await add(one.sender, "a");
    await add(two.sender, "b");
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
  const { sender, sent } = setUp(away);
  start(sender);
  await add(sender, "one");
  expect(names(sender.state().waiting)).toEqual(["one"]);
  await pass(1000);
  expect([sent, sender.state().waiting]).toEqual([["one", "one"], []]);
});
