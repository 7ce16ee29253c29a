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

/** Whether all texts on the page are shown as they are stored. */
export function useIsSource(): boolean {
  return useSyncExternalStore(subscribe, () => isOn);
}

/** That, and the way to change it, which returns what holds then. It ends with the page. */
export function useSource(): [isSource: boolean, toggle: () => boolean] {
  useEffect(() => () => turn(false), []);
  const toggle = () => {
    turn(!isOn);
    return isOn;
  };
  return [useIsSource(), toggle];
}
