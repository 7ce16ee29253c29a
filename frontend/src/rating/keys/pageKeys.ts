import { useMemo } from "react";
import { RATED } from "@/shared/words/ratings";
import type { Binding, Command } from "./keymap";
import { useBindings, useKeys } from "./useKeys";

/** The commands with which an expert rates: no Unsure, and nothing that belongs to a task. */
export const EXPERTS: readonly Command[] = [
  ...RATED,
  ...(["next", "previous", "undo", "submit", "compare", "copy", "source", "help"] as const),
];
/** The experts' commands if more is asked about a Bad step. */
export const EXPERTS_ON_MISTAKES: readonly Command[] = [...EXPERTS, "mistake"];

/** The acts of a page around the instrument, by key. Each gets the first of its keys that means nothing else. */
export type PageKeys<Name extends string = string> = readonly (Binding<Name> & { says: string })[];

/** Returns a page's bindings, each with its first key that the instrument's `bindings` leave free. */
export function keysBeside<Name extends string>(
  bindings: readonly Binding[],
  page: PageKeys<Name>,
  experts = EXPERTS,
): PageKeys<Name> {
  const taken = new Set(bindings.filter(({ command }) => experts.includes(command)).flatMap(({ keys }) => keys));
  return page.map((binding) => {
    const free = binding.keys.filter((key) => !taken.has(key)).slice(0, 1);
    for (const key of free) taken.add(key);
    return { ...binding, keys: free };
  });
}

/** Listens for a page's keys; returns them as they hold, for hints and the help. */
export function usePageKeys<Name extends string>(
  page: PageKeys<Name>,
  onCommand: (command: Name) => void,
  experts = EXPERTS,
): PageKeys<Name> {
  const bindings = useBindings();
  const keys = useMemo(() => keysBeside(bindings, page, experts), [bindings, page, experts]);
  useKeys(onCommand, keys);
  return keys;
}
