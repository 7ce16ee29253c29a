import { describe, expect, it } from "vitest";
import { comparedWith, lastChange, letterOf, takenBack } from "./names";
import { begin } from "../trajectory/draft";
import { reduce, type Action } from "../trajectory/moves";
import { FIRST } from "../trajectory/places";
import { NOTHING_ASKED, type Trajectory } from "../trajectory/trajectory";

const after = (trajectory: Trajectory, ...actions: Action[]) => actions.reduce(reduce, trajectory);
const great: Action = { type: "answer", answer: "great" };
const bad: Action = { type: "answer", answer: "bad" };
const at = (index: number): Action => ({ type: "part", part: { kind: "completions", index } });
const offered = (path: string[], ...texts: string[]): Action => ({
  type: "offered",
  kind: "completions",
  path,
  completions: texts.map((text) => ({ text, states_answer: false })),
});

describe("letters", () => {
  it("go on as numbers", () => expect([0, 25, 26].map(letterOf)).toEqual(["A", "Z", "27"]));
});

describe("what changed", () => {
  const tree = (...texts: string[]) => after(begin(null, null), offered([], ...texts));
  const asked = { ...NOTHING_ASKED, completions: true };

  it("is shown against the step before", () => {
    expect(comparedWith(begin(["p", "q"], null))).toBeNull();
    expect(comparedWith(after(begin(["p", "q"], null), great))).toEqual({ name: "Step 1", text: "p" });
  });
  it("is shown against another completion of the place", () => {
    expect(comparedWith(tree("a"))).toBeNull();
    expect(comparedWith(tree("a", "b"))).toEqual({ name: "Completion B", text: "b" });
    expect(comparedWith(after(tree("a", "b", "c"), at(2)))).toEqual({ name: "Completion A", text: "a" });
  });
  it("is shown against the Bad step itself, beside it", () =>
    expect(comparedWith(after(begin(["p", "q"], null, asked), great, bad, offered(["p"], "r")))).toEqual({
      name: "Step 2",
      text: "q",
    }));
});

describe("the last change", () => {
  it("is empty once a later one is undone, and undo says what it takes back", () => {
    const rated = after(begin(["p", "q"], null), great, bad);
    expect(takenBack(rated)).toBe("Took back: Bad on step 2");
    expect(lastChange(after(rated, { type: "undo" }))).toBe("");
    expect(takenBack(begin(["p"], null))).toBe("");
  });
  it("says that it took back a kind of error, not the rating", () => {
    const asked = { ...NOTHING_ASKED, errorKind: true };
    const kind: Action = { type: "mistake", spot: { step: 0, part: FIRST }, change: { kind: "slip" } };
    const named = after(begin(["p", "q"], null, asked), bad, kind);
    expect(lastChange(named, (key) => key.toUpperCase())).toBe("Step 1: Bad, SLIP.");
    expect(takenBack(named)).toBe("Took back: the last change on step 1");
    expect(takenBack(after(named, { type: "undo" }))).toBe("Took back: Bad on step 1");
  });
  it("is named, and nothing once it is undone", () => {
    const rated = after(begin(["p"], null), bad);
    expect([lastChange(rated), lastChange(after(rated, { type: "undo" }))]).toEqual(["Step 1: Bad.", ""]);
  });
});
