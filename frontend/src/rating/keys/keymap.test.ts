import { describe, expect, it } from "vitest";
import { keysBeside } from "./pageKeys";
import { assign, bindingsWith, commandFor, isAssignable, keymap, keyOf } from "./keymap";

function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body) {
  let command: ReturnType<typeof commandFor> = null;
  const listen = (event: Event) => (command = commandFor(event as KeyboardEvent, keymap));
  document.addEventListener("keydown", listen, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...init }));
  return command;
}

function add(html: string): Element {
  document.body.innerHTML = html;
  return document.body.querySelector("[data-target]") ?? document.body;
}

describe("keymap", () => {
  it("gives every key one meaning", () => {
    const keys = keymap.flatMap((binding) => binding.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
  it.each(keymap.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)))(
    "%s means %s",
    (key, command) => expect(press(key)).toBe(command),
  );
  it("does not mind capitals", () => expect(press("G", { shiftKey: true })).toBe("great"));
  it.each(["ctrlKey", "metaKey", "altKey"])("leaves %s chords to the browser", (modifier) =>
    expect(press("b", { [modifier]: true })).toBeNull(),
  );
  it.each(["<input data-target>", "<textarea data-target></textarea>", "<div role=dialog><p data-target></p></div>"])(
    "leaves %s alone",
    (html) => expect(press("g", {}, add(html))).toBeNull(),
  );
  it("lets Enter press a focused button, and letters still rate", () => {
    const button = add("<button data-target>x</button>");
    expect([press("Enter", {}, button), press("g", {}, button)]).toEqual([null, "great"]);
  });
  it("rates once however long a key is held", () => expect(press("g", { repeat: true })).toBeNull());
  it("moves on while a key is held", () => expect(press("j", { repeat: true })).toBe("next"));
});

describe("other keyboards", () => {
  it("reads letters of other scripts by their place", () => expect(press("п", { code: "KeyG" })).toBe("great"));
  it("reads a French digit row", () => expect(press("&", { code: "Digit1" })).toBe("great"));
  it("leaves Dvorak's letters where they are", () => expect(press("x", { code: "KeyB" })).toBe("give_up"));
  it("lets AltGr write a bracket", () =>
    expect(press("[", { ctrlKey: true, altKey: true, modifierAltGraph: true })).toBe("smaller"));
  it.each([{ isComposing: true }, { keyCode: 229, key: "Process" }])("leaves an input method alone", (init) =>
    expect(press("g", init)).toBeNull(),
  );
});

describe("a person's own keys", () => {
  const own = assign({}, "great", "f");
  it("replace the table's", () => {
    expect(keyOf("great", bindingsWith(own))).toBe("F");
    expect(keyOf("okay", bindingsWith(own))).toBe("2");
  });
  it("are taken from who had them and has others", () =>
    expect(assign({}, "great", "b")).toEqual({ great: ["b"], bad: ["3"] }));
  it("are swapped where it was the only one", () =>
    expect(assign({}, "undo", "n")).toEqual({ undo: ["n"], note: ["z"] }));
  it("never leave a command with Enter that is not submit", () =>
    expect(assign({}, "submit", "n")).toEqual({ submit: ["n"], note: [] }));
  it("stay unique whatever is assigned", () => {
    let keys = {};
    for (const { command } of keymap) keys = assign(keys, command, "q");
    const all = bindingsWith(keys).flatMap((binding) => binding.keys);
    expect(new Set(all).size).toBe(all.length);
  });
  it("are not taken by a command that came later", () => {
    const kept = bindingsWith({ great: ["v"] });
    expect(kept.filter(({ keys }) => keys.includes("v")).map(({ command }) => command)).toEqual(["great"]);
  });
  it.each(["Tab", "Escape", " ", "F5", "Dead", "Shift", "Enter"])("may not be %s", (key) =>
    expect(isAssignable(key, "great")).toBe(false),
  );
  it("may be Enter for submit", () => expect(isAssignable("Enter", "submit")).toBe(true));
});

describe("the keys of a page around the instrument", () => {
  const page = [
    { command: "next case", keys: ["ArrowRight", "."], says: "" },
    { command: "settle", keys: ["r", "s"], says: "" },
  ];
  it("are the first that mean nothing else there", () =>
    expect(keysBeside(keymap, page).map(({ keys }) => keys)).toEqual([["ArrowRight"], ["r"]]));
  it("make way for a person's own", () => {
    const own = bindingsWith({ undo: ["ArrowRight"], great: ["r"] });
    expect(keysBeside(own, page).map(({ keys }) => keys)).toEqual([["."], ["s"]]);
  });
  it("may be Shift with a digit, whatever it writes", () => {
    const table = [{ command: "take", keys: ["⇧2"], says: "" }];
    const event = (key: string) => new KeyboardEvent("keydown", { key, code: "Digit2", shiftKey: true });
    expect(commandFor(event("@"), table)).toBe("take");
    expect(commandFor(event('"'), table)).toBe("take");
    expect(commandFor(event("2"), [...keymap, ...table])).toBe("okay");
  });
});
