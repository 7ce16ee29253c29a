import { useEffect, useRef } from "react";
import { useNewest } from "@/shared/useNewest";
import { activeClock, type ActiveClock } from "./activeTime";

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"] as const;
const TICK_MS = 1000;
const HEARTBEAT_MS = 60_000;

const isVisible = () => document.visibilityState === "visible";

/** Reports active milliseconds once a second, and beats once a minute while somebody is here. Returns the way to take
 * what has not been reported yet. */
export function useActiveTime(onSpent: (ms: number) => void, onHeartbeat: () => void): () => number {
  const report = useNewest(onSpent);
  const beat = useNewest(onHeartbeat);
  const running = useRef<ActiveClock>(null);

  useEffect(() => {
    const clock = (running.current = activeClock(Date.now()));
    const touch = () => clock.touch(Date.now());
    const spend = (wasVisible: boolean) => {
      const ms = clock.take(Date.now(), wasVisible);
      if (ms > 0) report(ms);
    };
    // The event comes after the change: a page that has just been hidden was visible until now.
    const turn = () => spend(!isVisible());
    const ticking = setInterval(() => spend(isVisible()), TICK_MS);
    const beating = setInterval(() => {
      if (isVisible() && !clock.isIdle(Date.now())) beat();
    }, HEARTBEAT_MS);

    SIGNS_OF_LIFE.forEach((name) => window.addEventListener(name, touch, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", turn);
    return () => {
      clearInterval(ticking);
      clearInterval(beating);
      SIGNS_OF_LIFE.forEach((name) => window.removeEventListener(name, touch, { capture: true }));
      document.removeEventListener("visibilitychange", turn);
    };
  }, [report, beat]);

  return useNewest(() => running.current?.take(Date.now(), isVisible()) ?? 0);
}
