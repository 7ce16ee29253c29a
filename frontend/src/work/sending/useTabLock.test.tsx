import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTabLock } from "./useTabLock";

interface Asked {
  run: (lock: object | null) => unknown;
  grant: () => void;
  lose: (why: Error) => void;
}

/** One lock, with the rules of the Web Locks API that this uses: in line, `ifAvailable`, `steal`. */
function oneLock() {
  let holder: Asked | null = null;
  const line: Asked[] = [];

  function next(): void {
    holder = line.shift() ?? null;
    holder?.grant();
  }

  function request(_: string, options: LockOptions, run: (lock: object | null) => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const asked: Asked = {
        run,
        lose: reject,
        grant: () =>
          void Promise.resolve(run({})).then((value) => {
            resolve(value);
            if (holder === asked) next();
          }),
      };
      if (options.ifAvailable && holder !== null) resolve(run(null));
      else if (options.steal) {
        holder?.lose(new DOMException("stolen", "AbortError"));
        line.unshift(asked);
        next();
      } else {
        line.push(asked);
        if (holder === null) next();
      }
    });
  }
  return { request };
}

beforeEach(() => vi.stubGlobal("navigator", { locks: oneLock() }));
afterEach(() => vi.unstubAllGlobals());

async function tab() {
  const hook = renderHook(() => useTabLock("phase"));
  await act(async () => Promise.resolve());
  return hook;
}

it("lets the first tab work and keeps the second one out", async () => {
  const [one, two] = [await tab(), await tab()];
  expect([one.result.current.place, two.result.current.place]).toEqual(["here", "elsewhere"]);
});

it("goes on in the second tab when the first one closes", async () => {
  const [one, two] = [await tab(), await tab()];
  await act(async () => {
    one.unmount();
    await new Promise(requestAnimationFrame);
  });
  expect(two.result.current.place).toBe("here");
});

it("moves to the tab that takes it, and back", async () => {
  const [one, two] = [await tab(), await tab()];
  await act(async () => {
    two.result.current.take();
    await new Promise(requestAnimationFrame);
  });
  expect([one.result.current.place, two.result.current.place]).toEqual(["elsewhere", "here"]);
  await act(async () => {
    one.result.current.take();
    await new Promise(requestAnimationFrame);
  });
  expect([one.result.current.place, two.result.current.place]).toEqual(["here", "elsewhere"]);
});

it("lets every tab work where there are no locks", async () => {
  vi.unstubAllGlobals();
  expect((await tab()).result.current.place).toBe("here");
});
