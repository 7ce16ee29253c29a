import { afterEach, describe, expect, it } from "vitest";
import { commandFor, keymap } from "./keymap";

function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body) {
  let command: ReturnType<typeof commandFor> = null;
  const listen = (event: Event) => (command = commandFor(event as KeyboardEvent));
  document.addEventListener("keydown", listen, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...init }));
  return command;
}

function add(html: string): Element {
  document.body.innerHTML = html;
  return document.body.querySelector("[data-target]") ?? document.body;
}

afterEach(() => (document.body.innerHTML = ""));

describe("keymap", () => {
  it("gives every key one meaning", () => {
    const keys = keymap.flatMap((binding) => binding.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
  it.each(keymap.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)))("%s means %s", (key, command) =>
    expect(press(key)).toBe(command));
  it("does not mind capitals", () => expect(press("G", { shiftKey: true })).toBe("great"));
  it.each(["ctrlKey", "metaKey", "altKey"])("leaves %s chords to the browser", (modifier) =>
    expect(press("b", { [modifier]: true })).toBeNull());
  it.each(["<input data-target>", "<textarea data-target></textarea>", "<div role=dialog><p data-target></p></div>"])(
    "leaves %s alone", (html) => expect(press("g", {}, add(html))).toBeNull());
  it("lets Enter press a focused button, and letters still rate", () => {
    const button = add("<button data-target>x</button>");
    expect([press("Enter", {}, button), press("g", {}, button)]).toEqual([null, "great"]);
  });
  it("rates once however long a key is held", () => expect(press("g", { repeat: true })).toBeNull());
  it("moves on while a key is held", () => expect(press("j", { repeat: true })).toBe("next"));
});
