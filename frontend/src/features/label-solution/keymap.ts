import { strings } from "@/shared/strings";

export type Command =
  | "great" | "okay" | "bad" | "unsure" | "next" | "previous" | "undo" | "note" | "submit" | "bad_problem" | "give_up" | "help";

export interface Binding {
  command: Command;
  /** As `KeyboardEvent.key`, letters in lower case. */
  keys: readonly string[];
  says: string;
}

const says = strings.label.commands;

/** The one table of keys: the handler and the help both read it. No chords: a bare key, or nothing. */
export const keymap: readonly Binding[] = [
  { command: "great", keys: ["1", "g"], says: says.great },
  { command: "okay", keys: ["2", "o"], says: says.okay },
  { command: "bad", keys: ["3", "b"], says: says.bad },
  { command: "unsure", keys: ["4", "u"], says: says.unsure },
  { command: "next", keys: ["ArrowDown", "j"], says: says.next },
  { command: "previous", keys: ["ArrowUp", "k"], says: says.previous },
  { command: "undo", keys: ["z", "Backspace"], says: says.undo },
  { command: "note", keys: ["n"], says: says.note },
  { command: "submit", keys: ["Enter"], says: says.submit },
  { command: "bad_problem", keys: ["p"], says: says.badProblem },
  { command: "give_up", keys: ["x"], says: says.giveUp },
  { command: "help", keys: ["?"], says: says.help },
];

const KEY_NAMES: Record<string, string> = { ArrowDown: "↓", ArrowUp: "↑", Backspace: "⌫", Enter: "Enter ↵" };

export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key.toUpperCase();
}

/** The key to show on a button. */
export function keyOf(command: Command): string {
  return keyName(keymap.find((binding) => binding.command === command)?.keys[0] ?? "");
}

const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
const PRESSABLE = "button, a[href], summary, [role=button]";

function belongsToThePage(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (target?.closest(`${TYPING}, [role=dialog], [role=menu]`)) return false;
  return !(event.key === "Enter" && target?.closest(PRESSABLE));
}

export function commandFor(event: KeyboardEvent): Command | null {
  if (!belongsToThePage(event)) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const command = keymap.find((binding) => binding.keys.includes(key))?.command ?? null;
  const mayRepeat = command === "next" || command === "previous";
  return event.repeat && !mayRepeat ? null : command;
}
