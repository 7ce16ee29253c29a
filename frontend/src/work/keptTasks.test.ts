import { beforeEach, expect, it, vi } from "vitest";
import type { Assignment } from "@/api/types";
import { forgetTasks, keepTasks, keptTasks } from "./keptTasks";

const task = (id: string) => ({ id }) as Assignment;
const kept = (user = "ann") => keptTasks(user, "p").map(({ id }) => id);

beforeEach(() => localStorage.clear());

it("keeps the task in hand and the one after it", () => {
  keepTasks("ann", "p", task("1"), task("2"));
  expect(kept()).toEqual(["1", "2"]);
});

it("keeps the one after it while nobody knows whether it is still that one", () => {
  keepTasks("ann", "p", task("1"), task("2"));
  keepTasks("ann", "p", task("1"), undefined);
  expect(kept()).toEqual(["1", "2"]);
  keepTasks("ann", "p", task("1"), null);
  expect(kept()).toEqual(["1"]);
});

it("forgets a task that is no longer in hand, at once", () => {
  keepTasks("ann", "p", task("1"), task("2"));
  keepTasks("ann", "p", task("2"), undefined);
  expect(kept()).toEqual(["2"]);
  keepTasks("ann", "p", null, undefined);
  expect(kept()).toEqual([]);
});

it("forgets one person's only", () => {
  keepTasks("ann", "p", task("1"), null);
  keepTasks("ben", "p", task("3"), null);
  forgetTasks("ann");
  expect([kept(), kept("ben")]).toEqual([[], ["3"]]);
});

it("keeps nothing old where there is no room", () => {
  keepTasks("ann", "p", task("1"), null);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keepTasks("ann", "p", task("2"), null);
  expect(kept()).toEqual([]);
});
