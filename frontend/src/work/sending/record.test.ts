import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment, Draft, Submission } from "@/api/types";
import {
  forgetOldRecords,
  forgetTasks,
  isStored,
  keepTasks,
  keptTasks,
  prefixOf,
  readRecord,
  recordOf,
  removeRecord,
  writeRecord,
} from "./record";

const task = (id: string) => ({ id, labelling: null, phase: { id: "p" }, problem: { statement: "" } }) as Assignment;
const draft = { version: 3 } as Draft;
const stored = () => Object.keys(localStorage).sort();
const kept = (user = "ann") => keptTasks(user, "p").map(({ id }) => id);

beforeEach(() => {
  localStorage.clear();
  for (const id of "123") removeRecord(`${prefixOf("ann")}${id}`); // what there was no room for
});

it("keeps the task in hand and those after it", () => {
  keepTasks("ann", "p", task("2"), [task("3"), task("1")]);
  expect(kept()).toEqual(["2", "3", "1"]);
});

it("keeps those after it while nobody knows whether they are still the same", () => {
  keepTasks("ann", "p", task("1"), [task("2"), task("3")]);
  keepTasks("ann", "p", task("1"));
  expect(kept()).toEqual(["1", "2", "3"]);
  keepTasks("ann", "p", task("2"));
  expect(kept()).toEqual(["2", "3"]);
  keepTasks("ann", "p", task("2"), []);
  expect(kept()).toEqual(["2"]);
});

it("forgets a task that is no longer in hand, at once, but not what was done on it", () => {
  keepTasks("ann", "p", task("1"), [task("2")]);
  writeRecord({ ...recordOf("ann", task("1")), draft });
  keepTasks("ann", "p", task("2"));
  expect(kept()).toEqual(["2"]);
  keepTasks("ann", "p", null);
  expect(kept()).toEqual([]);
  expect([stored(), recordOf("ann", task("1")).draft]).toEqual([[`${prefixOf("ann")}1`], draft]);
});

it("forgets one person's tasks only", () => {
  keepTasks("ann", "p", task("1"), []);
  keepTasks("ben", "p", task("3"), []);
  forgetTasks("ann");
  expect([kept(), kept("ben"), stored()]).toEqual([[], ["3"], ["stepmark.task.ben.3", `${prefixOf("ben")}3`]]);
});

it("begins a revision without the draft that led to the labelling", () => {
  writeRecord({ ...recordOf("ann", task("1")), draft });
  const revised = { ...task("1"), labelling: { id: "x" } } as Assignment;
  expect(recordOf("ann", revised).draft).toBeUndefined();
});

it("forgets tasks and drafts after a month, but no submission", () => {
  const at = Date.now() - 31 * 24 * 3600 * 1000;
  const submission = { body: {} as Submission, at };
  for (const [id, more] of Object.entries({ 1: { draft }, 2: { draft, submission }, 3: { draft, at: at + 2e8 } }))
    writeRecord({ ...recordOf("ann", task(id)), at, ...more });
  forgetOldRecords();
  expect(stored()).toEqual([`${prefixOf("ann")}2`, `${prefixOf("ann")}3`]);
});

it("writes a task once, however much is rated", () => {
  const inHand = task("1");
  keepTasks("ann", "p", inHand, [task("2")]);
  const write = vi.spyOn(Storage.prototype, "setItem");
  writeRecord({ ...recordOf("ann", inHand), draft });
  keepTasks("ann", "p", inHand);
  expect(write.mock.calls.flatMap(([key, text]) => (text.includes("statement") ? [key] : []))).toEqual([]);
  keepTasks("ann", "p", { ...inHand, report: "wrong" });
  expect(keptTasks("ann", "p")[0]?.report).toBe("wrong");
});

describe("a record of an older version, which held its task", () => {
  beforeEach(() => {
    const old = { ...recordOf("ann", task("1")), task: task("1"), place: 0, draft };
    localStorage.setItem(old.key, JSON.stringify(old));
  });

  it("is read with its task and its draft", () => {
    expect([kept(), recordOf("ann", task("1")).draft]).toEqual([["1"], draft]);
  });

  it("is parted from its task when that is kept anew", () => {
    keepTasks("ann", "p", task("1"));
    expect([kept(), recordOf("ann", task("1")).draft]).toEqual([["1"], draft]);
    expect(readRecord(`${prefixOf("ann")}1`)?.task).toBeUndefined();
  });

  it("loses its task, and not its draft, when that is no longer in hand", () => {
    keepTasks("ann", "p", task("2"));
    expect([kept(), recordOf("ann", task("1")).draft]).toEqual([["2"], draft]);
  });
});

describe("without room", () => {
  /** Limits the storage to `most` characters in all. */
  function room(most: number) {
    const setItem = Object.getOwnPropertyDescriptor(Storage.prototype, "setItem")?.value as Storage["setItem"];
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(function (this: Storage, key, text) {
      const others = Object.entries(this).filter(([name]) => name !== key);
      const held = others.reduce((sum, [, other]) => sum + String(other).length, 0);
      if (held + text.length > most) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, key, text);
    });
  }
  const taken = () => Object.values(localStorage).reduce<number>((sum, text) => sum + String(text).length, 0);

  it("keeps no task, and nothing old", () => {
    keepTasks("ann", "p", task("1"), []);
    room(0);
    keepTasks("ann", "p", task("2"), []);
    expect([kept(), stored()]).toEqual([[], []]);
  });

  it("rather keeps the work than the task", () => {
    keepTasks("ann", "p", task("1"), []);
    room(200);
    writeRecord({ ...recordOf("ann", task("1")), draft });
    expect([kept(), recordOf("ann", task("1")).draft, stored()]).toEqual([[], draft, [`${prefixOf("ann")}1`]]);
  });

  it("rather keeps the task in hand than those after it", () => {
    keepTasks("ann", "p", task("1"), [task("2")]);
    room(taken());
    writeRecord({ ...recordOf("ann", task("1")), draft });
    expect([kept(), recordOf("ann", task("1")).draft]).toEqual([["1"], draft]);
  });

  it("keeps no older copy of a task that has grown", () => {
    keepTasks("ann", "p", task("1"), []);
    room(taken());
    keepTasks("ann", "p", { ...task("1"), report: "wrong" }, []);
    expect([kept(), stored()]).toEqual([[], [`${prefixOf("ann")}1`]]);
  });

  it("keeps the work in memory where there is none at all", () => {
    room(0);
    writeRecord({ ...recordOf("ann", task("1")), draft });
    expect([recordOf("ann", task("1")).draft, isStored(`${prefixOf("ann")}1`)]).toEqual([draft, false]);
  });
});
