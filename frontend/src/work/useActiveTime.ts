import { useEffect, useRef } from "react";
import { useNewest } from "@/shared/ui/useNewest";

export const IDLE_AFTER_MS = 60_000;
const TICK_MS = 1000;
const HEARTBEAT_MS = 60_000;
const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"] as const;

/** Counts the time a person is really here: page visible, and not idle. Pure but for `now`, in ms. */
export function activeClock(start: number) {
  let taken = start;
  let touched = start;
  let earned = 0;

  /** Credits the time up to `now`, but no further than the idle limit after the last sign of life. */
  function settle(now: number): void {
    earned += Math.max(Math.min(now, touched + IDLE_AFTER_MS) - taken, 0);
    taken = now;
  }

  return {
    /** Notes a sign of life: a key, a move, a scroll. */
    touch(now: number): void {
      settle(now);
      touched = now;
    },
    /** Active time since the last call. `isVisible`: whether the page has been on screen since then. */
    take(now: number, isVisible: boolean): number {
      if (isVisible) settle(now);
      taken = now;
      const ms = earned;
      earned = 0;
      return ms;
    },
    isIdle: (now: number): boolean => now - touched > IDLE_AFTER_MS,
  };
}

const isVisible = () => document.visibilityState === "visible";

/**
 * Reports active milliseconds once a second, and calls `onHeartbeat` once a minute while somebody is here. Returns a
 * function that takes the milliseconds not reported yet.
 */
export function useActiveTime(onSpent: (ms: number) => void, onHeartbeat: () => void): () => number {
  const report = useNewest(onSpent);
  const beat = useNewest(onHeartbeat);
  const running = useRef<ReturnType<typeof activeClock>>(null);

  useEffect(() => {
    const clock = (running.current = activeClock(Date.now()));
    const spend = (wasVisible: boolean) => {
      const ms = clock.take(Date.now(), wasVisible);
      if (ms > 0) report(ms);
    };
    const ticking = setInterval(() => spend(isVisible()), TICK_MS);
    const beating = setInterval(() => {
      if (isVisible() && !clock.isIdle(Date.now())) beat();
    }, HEARTBEAT_MS);
    const ends = new AbortController();
    const { signal } = ends;
    for (const name of SIGNS_OF_LIFE)
      window.addEventListener(name, () => clock.touch(Date.now()), { passive: true, capture: true, signal });
    // The event comes after the change: a page that has just been hidden was visible until now.
    document.addEventListener("visibilitychange", () => spend(!isVisible()), { signal });
    return () => {
      clearInterval(ticking);
      clearInterval(beating);
      ends.abort();
    };
  }, [report, beat]);

  return useNewest(() => running.current?.take(Date.now(), isVisible()) ?? 0);
}
