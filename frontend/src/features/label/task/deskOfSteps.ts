import { createContext, useContext, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { Desk } from "./useDesk";

function storeOf(first: Desk) {
  const listeners = new Set<() => void>();
  let desk = first;
  return {
    read: () => desk,
    write: (next: Desk) => {
      desk = next;
      listeners.forEach((listener) => listener());
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Store = ReturnType<typeof storeOf>;

/**
 * The desk, for panels among the steps. The context holds a store, so that a change on the desk doesn't re-render the
 * steps: for a new context value, React would search every step of a trace for its readers.
 */
export const DeskOfSteps = createContext<Store | null>(null);

/** Returns the context's value: always the same store, holding the newest desk. */
export function useDeskStore(desk: Desk): Store {
  const [store] = useState(() => storeOf(desk));
  useLayoutEffect(() => store.write(desk), [store, desk]);
  return store;
}

const none = () => null;
const nothing = () => none;

export function useDeskOfSteps(): Desk | null {
  const store = useContext(DeskOfSteps);
  return useSyncExternalStore(store?.subscribe ?? nothing, store?.read ?? none);
}
