import { useEffect, useRef } from "react";
import { activeClock } from "./activeTime";

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"] as const;
const TICK_MS = 250;
const HEARTBEAT_MS = 60_000;

/** Reports active milliseconds four times a second, and beats once a minute while somebody is here. */
export function useActiveTime(onSpent: (ms: number) => void, onHeartbeat: () => void): void {
  const report = useRef({ onSpent, onHeartbeat });
  useEffect(() => {
    report.current = { onSpent, onHeartbeat };
  });

  useEffect(() => {
    const clock = activeClock(Date.now());
    const isVisible = () => document.visibilityState === "visible";
    const touch = () => clock.touch(Date.now());
    const spend = (wasVisible: boolean) => {
      const ms = clock.take(Date.now(), wasVisible);
      if (ms > 0) report.current.onSpent(ms);
    };
    // The event comes after the change: a page that has just been hidden was visible until now.
    const turn = () => spend(!isVisible());
    const tick = setInterval(() => spend(isVisible()), TICK_MS);
    const beat = setInterval(() => {
      if (isVisible() && !clock.isIdle(Date.now())) report.current.onHeartbeat();
    }, HEARTBEAT_MS);

    SIGNS_OF_LIFE.forEach((name) => window.addEventListener(name, touch, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", turn);
    return () => {
      clearInterval(tick);
      clearInterval(beat);
      SIGNS_OF_LIFE.forEach((name) => window.removeEventListener(name, touch, { capture: true }));
      document.removeEventListener("visibilitychange", turn);
    };
  }, []);
}
