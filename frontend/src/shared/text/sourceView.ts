import { useEffect, useSyncExternalStore } from "react";

let isOn = false;
const listeners = new Set<() => void>();

function turn(on: boolean): void {
  isOn = on;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Returns whether all texts on the page are shown as they are stored. */
export function useIsSource(): boolean {
  return useSyncExternalStore(subscribe, () => isOn);
}

/** Returns whether texts are shown as stored, and a toggle, which returns the new state. Ends with the page. */
export function useSource(): [isSource: boolean, toggle: () => boolean] {
  useEffect(() => () => turn(false), []);
  const toggle = () => {
    turn(!isOn);
    return isOn;
  };
  return [useIsSource(), toggle];
}
