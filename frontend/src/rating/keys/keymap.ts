import type { Assignment } from "@/api/types";
import { asksAnything } from "@/rating/words/asks";
import type { Preferences } from "@/shared/session/preferences";
import { WAYS_OUT, waysWith, type Exit } from "@/shared/words/waysOut";
import { meaningOf } from "@/shared/words/words";

export interface Binding<Name extends string = Command> {
  command: Name;
  /** The value of `KeyboardEvent.key`, letters in lower case. */
  keys: readonly string[];
  /** True for the tasks on which the command works; if left out, all. */
  only?: (task: Assignment) => boolean;
}

const isTrace = ({ solution }: Assignment) => (solution.turns ?? null) !== null;
const isTree = ({ phase }: Assignment) => phase.kind === "alternatives";

/** True if the task's steps are pieces of one text, which may be cut wrongly. */
export const hasCuts = (task: Assignment) => !isTree(task) && !isTrace(task);

const LEAVING = waysWith("keys").map((command): Binding<Exit> => ({ command, ...WAYS_OUT[command] }));

/** The one table of keys: the handler and the help both read it. No chords: a bare key, or nothing. */
const KEYMAP = [
  { command: "great", keys: ["1", "g"] },
  { command: "okay", keys: ["2", "o"] },
  { command: "bad", keys: ["3", "b"] },
  { command: "unsure", keys: ["4", "u"] },
  { command: "next", keys: ["ArrowDown", "j"] },
  { command: "previous", keys: ["ArrowUp", "k"] },
  { command: "choose", keys: ["c"], only: isTree },
  { command: "write", keys: ["w"], only: (task) => isTree(task) || task.phase.asks_critiques },
  { command: "finish", keys: ["l"], only: (task) => isTree(task) && task.phase.finishes_by_hand },
  { command: "mistake", keys: ["m"], only: (task) => asksAnything(task.phase) },
  { command: "undo", keys: ["z", "Backspace"] },
  { command: "note", keys: ["n"] },
  { command: "submit", keys: ["Enter"] },
  ...LEAVING,
  { command: "report", keys: ["r"], only: ({ problem }) => problem.reference_answer !== "" },
  { command: "steps", keys: ["v"], only: hasCuts },
  { command: "question", keys: ["q"] },
  { command: "history", keys: ["h"] },
  { command: "guidelines", keys: ["i"] },
  { command: "compare", keys: ["d"] },
  { command: "unfold", keys: ["e"], only: isTrace },
  { command: "next_bad", keys: ["."], only: isTrace },
  { command: "copy", keys: ["y"] },
  { command: "source", keys: ["t"] },
  { command: "calculator", keys: ["="] },
  { command: "larger", keys: ["]"] },
  { command: "smaller", keys: ["["] },
  { command: "help", keys: ["?"] },
] as const satisfies readonly Binding<string>[];

export type Command = (typeof KEYMAP)[number]["command"] | Exit;
export const keymap: readonly Binding[] = KEYMAP;

/** Returns the bindings that work on a task. */
export function bindingsOn(task: Assignment, bindings: readonly Binding[] = keymap): readonly Binding[] {
  return bindings.filter(({ only }) => only?.(task) ?? true);
}

const KEY_NAMES = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Backspace: "⌫",
  Delete: "⌦",
  Enter: "Enter ↵",
};

export function keyName(key: string): string {
  return meaningOf(KEY_NAMES, key) ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** A person's own keys, by command. */
export type OwnKeys = NonNullable<Preferences["keys"]>;

/** Returns the keymap with a person's own keys, which the default keys of other commands give way to. */
export function bindingsWith(own: OwnKeys = {}): readonly Binding[] {
  const taken = new Set(Object.values(own).flat());
  return keymap.map((binding) => ({
    ...binding,
    keys: own[binding.command] ?? binding.keys.filter((key) => !taken.has(key)),
  }));
}

/** The key to show on a button. */
export function keyOf<Name extends string>(command: Name, bindings: readonly Binding<Name>[]): string {
  return keyName(bindings.find((binding) => binding.command === command)?.keys[0] ?? "");
}

/** Keys that the browser, or this page's own controls, cannot do without. */
const TAKEN = /^(?:Tab|Escape| |ContextMenu|Dead|Process|Unidentified|F\d+)$/;

export function isModifier(key: string): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|OS|CapsLock|Fn)$/.test(key);
}

export function isAssignable(key: string, command: Command): boolean {
  return !TAKEN.test(key) && !isModifier(key) && (key !== "Enter" || command === "submit");
}

/** Returns `own` with `key` as `command`'s only key. A command that had it keeps its others, or gets an old one. */
export function assign(own: OwnKeys, command: Command, key: string): OwnKeys {
  const bindings = bindingsWith(own);
  const before = bindings.find((binding) => binding.command === command)?.keys ?? [];
  const loser = bindings.find((binding) => binding.command !== command && binding.keys.includes(key));
  const changed = { ...own, [command]: [key] };
  if (loser === undefined) return changed;
  const left = loser.keys.filter((other) => other !== key);
  const offered = before.filter((other) => isAssignable(other, loser.command)).slice(0, 1);
  return { ...changed, [loser.command]: left.length > 0 ? left : offered };
}

const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
const PRESSABLE = "button, a[href], summary, [role=button]";

/** True for Ctrl, Meta or Alt. AltGr, with which some layouts type `[`, makes no chord. */
function isChord(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
}

function belongsToThePage(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.defaultPrevented || isChord(event) || event.isComposing) return false;
  if (target?.closest(`${TYPING}, dialog, [role=dialog]:not([data-lets-keys-through]), [role=menu]`)) return false;
  return !(event.key === "Enter" && target?.closest(PRESSABLE));
}

/** Returns the key by its character; on a Cyrillic layout or a French digit row, by its Latin letter or digit. */
export function keyPressed(event: KeyboardEvent): string {
  if (event.key.length !== 1) return event.key;
  const [, kind, printed = ""] = /^(Key|Digit)(.)$/.exec(event.code) ?? [];
  const isForeign = kind === "Key" ? event.key > "~" : kind === "Digit" && !event.shiftKey && !/\d/.test(event.key);
  return (isForeign ? printed : event.key).toLowerCase();
}

/** Returns "⇧1" for Shift with the digit 1, whatever the layout types; "" for anything else. */
function shiftedDigit({ shiftKey, code }: KeyboardEvent): string {
  return shiftKey && code.startsWith("Digit") ? code.replace("Digit", "⇧") : "";
}

export function commandFor<Name extends string>(event: KeyboardEvent, bindings: readonly Binding<Name>[]): Name | null {
  if (!belongsToThePage(event)) return null;
  const commandOf = (key: string) => bindings.find(({ keys }) => keys.includes(key))?.command;
  const command = commandOf(keyPressed(event)) ?? commandOf(shiftedDigit(event)) ?? null;
  const mayRepeat = command === "next" || command === "previous";
  return event.repeat && !mayRepeat ? null : command;
}
