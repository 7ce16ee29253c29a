import { useCallback, useEffect, useState } from "react";

type Place = "asking" | "here" | "elsewhere";

/**
 * Lets one tab at a time work on `name`; `place` says whether it is this one. When the other closes, this one goes on;
 * `take` goes on at once, and the other one stops. Without a secure context there are no locks, and every tab may.
 */
export function useTabLock(name: string): { place: Place; take: () => void } {
  const locks = navigator.locks as LockManager | undefined;
  const [place, setPlace] = useState<Place>(locks === undefined ? "here" : "asking");
  const [takes, setTakes] = useState(0);

  useEffect(() => {
    if (locks === undefined) return;
    let isGone = false;
    let letGo: () => void = () => undefined;
    const hold = (lock: Lock | null) => {
      if (lock === null) return false;
      if (isGone) return true;
      setPlace("here");
      return new Promise<boolean>((resolve) => (letGo = () => resolve(true)));
    };
    /** Holds the lock until it is released here; if another tab has it, or takes it, waits for it. */
    const ask = async (options: LockOptions): Promise<void> => {
      const wasHere = await locks.request(name, options, hold).catch(() => false);
      if (wasHere || isGone) return;
      setPlace("elsewhere");
      await ask({});
    };
    void ask(takes > 0 ? { steal: true } : { ifAvailable: true });
    return () => {
      isGone = true;
      letGo();
    };
  }, [locks, name, takes]);

  return { place, take: useCallback(() => setTakes((before) => before + 1), []) };
}
