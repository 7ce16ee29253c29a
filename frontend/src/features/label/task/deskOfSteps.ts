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
 * For what stands among the steps, so that these are not gone through whenever something changes on the desk. The context
 * holds a store, not the desk: for a new value, React would look through every step of a trace for its readers.
 */
export const DeskOfSteps = createContext<Store | null>(null);

/** The value of the context: always the same, of the newest desk. */
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
