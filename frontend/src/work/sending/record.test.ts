import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment, Draft, Submission } from "@/api/types";
import { forgetOldRecords, forgetTasks, keepTasks, keptTasks, prefixOf, recordOf, writeRecord } from "./record";

const task = (id: string) => ({ id, labelling: null, phase: { id: "p" }, problem: { statement: "" } }) as Assignment;
const draft = { version: 3 } as Draft;
const stored = () => Object.keys(localStorage);
const kept = (user = "ann") => keptTasks(user, "p").map(({ id }) => id);

beforeEach(() => localStorage.clear());

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
  expect([kept(), kept("ben"), stored()]).toEqual([[], ["3"], [`${prefixOf("ben")}3`]]);
});

it("begins a revision without the draft that led to the labelling", () => {
  writeRecord({ ...recordOf("ann", task("1")), draft });
  const revised = { ...task("1"), labelling: { id: "x" } } as Assignment;
  expect(recordOf("ann", revised).draft).toBeUndefined();
});

it("forgets after a month what never came back, but no submission", () => {
  const at = Date.now() - 31 * 24 * 3600 * 1000;
  const submission = { body: {} as Submission, at };
  for (const [id, more] of Object.entries({ 1: { draft }, 2: { draft, submission }, 3: { draft, at: at + 2e8 } }))
    writeRecord({ ...recordOf("ann", task(id)), at, ...more });
  forgetOldRecords();
  expect(stored().sort()).toEqual([`${prefixOf("ann")}2`, `${prefixOf("ann")}3`]);
});

describe("without room", () => {
  /** For records of so many characters. */
  function room(most: number) {
    const setItem = Object.getOwnPropertyDescriptor(Storage.prototype, "setItem")?.value as Storage["setItem"];
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(function (this: Storage, key, text) {
      if (text.length > most) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, key, text);
    });
  }

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
});
