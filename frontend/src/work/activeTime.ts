/** Counts the time a person is really here: page visible, and not idle. Pure but for `now`, in ms. */
export const IDLE_AFTER_MS = 60_000;

export interface ActiveClock {
  /** Something happened: a key, a move, a scroll. */
  touch(now: number): void;
  /** Active time since the last call. `isVisible`: whether the page has been on screen since then. */
  take(now: number, isVisible: boolean): number;
  isIdle(now: number): boolean;
}

export function activeClock(start: number): ActiveClock {
  let taken = start;
  let touched = start;
  let earned = 0;

  /** Credits the time up to `now`, but no further than the idle limit after the last sign of life. */
  function settle(now: number): void {
    const end = Math.min(now, touched + IDLE_AFTER_MS);
    if (end > taken) earned += end - taken;
    taken = now;
  }

  return {
    touch(now) {
      settle(now);
      touched = now;
    },
    take(now, isVisible) {
      if (isVisible) settle(now);
      else taken = now;
      const ms = earned;
      earned = 0;
      return ms;
    },
    isIdle: (now) => now - touched > IDLE_AFTER_MS,
  };
}
