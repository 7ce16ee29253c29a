import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import type { Assignment, Draft, Submission, Submitted } from "@/api/types";
import { prefixOf, readRecord } from "./record";
import { createSender, type SaveState, type Sender, type SenderEvent, type SenderState } from "./sender";

const PREFIX = prefixOf("ada");
const body: Submission = {
  ratings: [],
  critiques: [],
  history: [],
  finish_reason: "solution",
  finish_note: "",
  solution_progress: "",
  result: "",
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

function task(id: string, more: Partial<Assignment> = {}): Assignment {
  const phase = { id: "algebra" };
  return { id, labelling: null, draft: null, phase, problem: { statement: id }, ...more } as unknown as Assignment;
}

const draft = (note: string) => (version: number) => ({ version, finish_note: note }) as Draft;

/** Each reply is for one request: an error, a promise to wait for, or, when there are none left, success. */
function setUp(...replies: (Error | Promise<unknown>)[]) {
  const sent: string[] = [];
  const saved: [string, number, boolean][] = [];
  const events: SenderEvent[] = [];
  const answer = async () => {
    const next = replies.shift();
    if (next instanceof Error) throw next;
    await next;
    return reply;
  };
  const sender = createSender({
    user: "ada",
    isFinal: () => Promise.resolve(true),
    save: (_, draft, isLeaving) => {
      saved.push([draft.finish_note, draft.version, isLeaving]);
      return answer();
    },
    submit: (assignment) => {
      sent.push(assignment);
      return answer();
    },
  });
  sender.subscribe((event) => event && events.push(event));
  return { sender, sent, saved, events };
}

async function add(sender: Sender, ...assignments: string[]) {
  for (const assignment of assignments) {
    sender.submit(task(assignment), body);
    await vi.advanceTimersByTimeAsync(1);
  }
}

const start = (sender: Sender) => stops.push(sender.start());
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
const names = (records: SenderState["waiting"]) => records.map((record) => record.assignment);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

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
  /** As in browsers: one holder at a time, the others wait in line. */
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
