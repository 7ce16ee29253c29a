import type { RouterOptions } from "wouter";
import { navigate, useLocationProperty } from "wouter/use-browser-location";

type MayLeave = () => boolean;

const asked = new Set<MayLeave>();
const mayLeave = () => [...asked].every((agrees) => agrees());

/** Asks `agrees` before another page is opened. Returns a function that ends that. */
export function askBeforeLeaving(agrees: MayLeave): () => void {
  asked.add(agrees);
  return () => void asked.delete(agrees);
}

/** Entries of the history are numbered, so that it is known how far one is from another. */
const numberOf = (state: unknown) => (state as { number?: number } | null)?.number ?? 0;
const now = () => ({ path: location.pathname, search: location.search, number: numberOf(history.state) });

let here = now();
let isReturning = false;
const arrive = () => {
  here = now();
};

/** Handles Back and Forward after the address has changed: whoever stays is sent back, still seeing their page. */
function onPop(event: PopStateEvent) {
  const isAllowed = isReturning || location.pathname === here.path || mayLeave();
  isReturning = !isAllowed;
  if (isAllowed) arrive();
  else {
    event.stopImmediatePropagation();
    history.go(here.number - numberOf(event.state) || 1);
  }
}

addEventListener("pushState", arrive); // the router's events
addEventListener("replaceState", arrive);
addEventListener("popstate", onPop, { capture: true });

const place = () => (isReturning ? here : now());
const usePath = () => useLocationProperty(() => place().path);
const useSearch = () => useLocationProperty(() => place().search);
const useHook = (): [string, typeof navigate] => [usePath(), navigate];

/** The router's options: another page is opened once everything with unsaved edits on this one agrees. */
export const asking: RouterOptions = {
  hook: useHook,
  searchHook: useSearch,
  aroundNav: (go, to, options) => {
    const isOther = new URL(to, location.href).pathname !== location.pathname;
    if (isOther && !mayLeave()) return;
    go(to, { ...options, state: { number: here.number + (options?.replace ? 0 : 1) } });
  },
};
