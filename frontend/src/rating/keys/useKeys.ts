import { useEffect, useMemo } from "react";
import type { Assignment } from "@/api/types";
import { useStoredPreferences } from "@/shared/session/preferences";
import { useNewest } from "@/shared/ui/useNewest";
import { bindingsOn, bindingsWith, commandFor, keyOf, type Binding, type Command } from "./keymap";

/** Returns the keymap with the signed-in person's own keys. */
export function useBindings(): readonly Binding[] {
  const { keys } = useStoredPreferences();
  return useMemo(() => bindingsWith(keys), [keys]);
}

/** Returns the signed-in person's bindings that work on a task. */
export function useKeysOn(task: Assignment): readonly Binding[] {
  return bindingsOn(task, useBindings());
}

/** Names the key of a command, for a button or a hint. */
export function useKeyOf(): (command: Command) => string {
  const bindings = useBindings();
  return (command) => keyOf(command, bindings);
}

/** Calls `onCommand` with the newest closure for every key of the keymap, or of a table of one's own. */
export function useKeys<Name extends string = Command>(
  onCommand: (command: Name) => void,
  ...[own]: Command extends Name ? [table?: readonly Binding<Name>[]] : [table: readonly Binding<Name>[]]
): void {
  const bindings = useBindings();
  useListener(onCommand, own ?? (bindings as readonly Binding<Name>[]), false);
}

/** Does what `useKeys` does, for a table whose keys take precedence over all others while it is mounted. */
export function useKeysFirst<Name extends string>(
  onCommand: (command: Name) => void,
  table: readonly Binding<Name>[],
): void {
  useListener(onCommand, table, true);
}

function useListener<Name extends string>(
  onCommand: (command: Name) => void,
  table: readonly Binding<Name>[],
  isFirst: boolean,
): void {
  const press = useNewest((event: KeyboardEvent) => {
    const command = commandFor(event, table);
    if (command === null) return;
    event.preventDefault();
    onCommand(command);
  });
  const isOn = table.length > 0;
  useEffect(() => {
    if (!isOn) return undefined;
    document.addEventListener("keydown", press, isFirst);
    return () => document.removeEventListener("keydown", press, isFirst);
  }, [press, isFirst, isOn]);
}
