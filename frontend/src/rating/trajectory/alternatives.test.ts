import { describe, expect, it } from "vitest";
import type { RatingWord } from "@/shared/words/ratings";
import { statesAnswer } from "./finalAnswer";
import { begin, toDraft, toSubmission } from "./draft";
import { reduce, type Action } from "./moves";
import { chosenIndex, completionsOf } from "./places";
import {
  finishReason,
  likelyPath,
  nameless,
  NOTHING_ASKED,
  pathOf,
  placeOf,
  wayOf,
  type Trajectory,
} from "./trajectory";

const offered = (path: string[], ...texts: string[]): Action => ({
  type: "offered",
  kind: "completions",
  path,
  completions: texts.map((text) => ({ text, states_answer: statesAnswer(text) })),
});
const at = (index: number) => ({ kind: "completions" as const, index });
const rate = (index: number, answer: RatingWord): Action => ({ type: "answer", part: at(index), answer });
const choose = (index: number): Action => ({ type: "choose", index });
const own = (text: string): Action[] => [
  { type: "write", text },
  { type: "accept", statesAnswer: statesAnswer(text) },
];
const spend = (ms: number): Action => ({ type: "spend", ms });
const reopen = (step: number): Action => ({ type: "focus", step });
const goOn: Action = { type: "go_on" };
const undo: Action = { type: "undo" };

function after(trajectory: Trajectory, ...actions: Action[]): Trajectory {
  return actions.reduce(reduce, trajectory);
}

const started = (...actions: Action[]) => after(begin(null, null), offered([], "a", "b", "c"), ...actions);
const settled = (...actions: Action[]) => started(rate(0, "great"), rate(1, "great"), rate(2, "bad"), ...actions);
const second = (...actions: Action[]) => settled(goOn, offered(["a"], "d", "# Answer\n\n5"), ...actions);
const answers = (trajectory: Trajectory) => placeOf(trajectory).offered.map(({ answer }) => answer);
const chosen = (trajectory: Trajectory) => placeOf(trajectory).chosen;
const rows = (trajectory: Trajectory, reason: "solution" | "give_up" = "give_up") =>
  toSubmission(trajectory, reason, "").ratings.map(({ step, completion, text, rating, is_chosen, is_human }) => [
    step,
    completion,
    text,
    rating,
    ...(is_chosen ? ["chosen"] : []),
    ...(is_human ? ["human"] : []),
  ]);
const reloaded = (trajectory: Trajectory) => begin(null, toDraft(trajectory, 1));

describe("rating completions", () => {
  it("moves to the next open one, and round to those that were skipped", () => {
    expect(started(rate(0, "okay")).focus.index).toBe(1);
    expect(started(rate(1, "okay"), rate(2, "bad")).focus.index).toBe(0);
  });
  it("stays where it is when everything is rated", () =>
    expect(started(rate(0, "bad"), rate(1, "great"), rate(2, "okay")).focus.index).toBe(2));
  it("begins at the choice when the step is opened again", () =>
    expect(settled(rate(0, "okay"), goOn, reopen(0)).focus.index).toBe(1));
  it("keeps the focus within the list", () => {
    expect(started({ type: "part", part: at(9) }).focus.index).toBe(2);
    expect(started({ type: "part", part: at(-1) }).focus.index).toBe(0);
  });
  it("does nothing before anything was offered", () =>
    expect(after(begin(null, null), rate(0, "great"), choose(0), goOn)).toEqual(begin(null, null)));
  it("is recorded, with its corrections, and the same answer once", () =>
    expect(started(spend(1500.4), rate(0, "great"), rate(0, "great"), rate(0, "unsure")).history).toEqual([
      { step: 0, completion: 0, rating: 1, at_ms: 1500 },
      { step: 0, completion: 0, rating: null, at_ms: 1500 },
    ]));
});

describe("the choice", () => {
  it("is the first Great one", () => expect(chosen(settled())).toBe("a"));
  it("can be another Great one, and no other", () => {
    expect(chosen(settled(choose(1)))).toBe("b");
    expect(chosen(settled(choose(2)))).toBe("a");
  });
  it("passes on when it is no longer Great", () => expect(chosen(settled(rate(0, "okay")))).toBe("b"));
  it("is nothing when nothing is Great", () => expect(chosen(settled(rate(0, "okay"), rate(1, "okay")))).toBeNull());
  it("goes on only when everything is rated", () => {
    expect(started(rate(0, "great"), goOn).at).toBe(0);
    expect(pathOf(settled(goOn))).toEqual(["a"]);
  });
  it("says what to fetch ahead: the choice, or else the first completion", () => {
    expect(likelyPath(started())).toEqual(["a"]);
    expect(likelyPath(started(rate(1, "great")))).toEqual(["b"]);
    expect(likelyPath(second(rate(1, "great")))).toBeNull();
  });
});

describe("an own step", () => {
  it("goes on in place of the completions", () => {
    const trajectory = started(rate(0, "bad"), rate(1, "bad"), rate(2, "okay"), ...own("  mine\n"), goOn);
    expect(pathOf(trajectory)).toEqual(["  mine\n"]);
    expect(rows(trajectory).at(-1)).toEqual([0, 3, "  mine\n", 1, "chosen", "human"]);
    expect(trajectory.history.at(-1)).toMatchObject({ step: 0, completion: 3, rating: 1 });
  });
  it("does not spare the rating of what was offered", () => {
    const trajectory = started(rate(0, "bad"), ...own("mine"), goOn);
    expect([trajectory.at, trajectory.focus.index]).toEqual([0, 1]);
  });
  it("can be written where nothing was offered", () =>
    expect(pathOf(after(begin(null, null), ...own("mine"), goOn))).toEqual(["mine"]));
  it("needs words", () => expect(chosen(settled(...own("  ")))).toBe("a"));
  it("is not sent when another one is chosen", () =>
    expect(rows(settled(...own("mine"), choose(0)))).toEqual([
      [0, 0, "a", 1, "chosen"],
      [0, 1, "b", 1],
      [0, 2, "c", -1],
    ]));
  it("is chosen once when it repeats a completion", () =>
    expect(rows(settled(...own("a"))).filter((row) => row.includes("chosen"))).toEqual([[0, 0, "a", 1, "chosen"]]));
  it("is written anew in its place", () =>
    expect(completionsOf(placeOf(settled(...own("one"), ...own("two")))).at(-1)?.text).toBe("two"));
});

describe("correcting an earlier step", () => {
  it("keeps what came after when the choice stays", () => {
    const trajectory = second(rate(0, "great"), reopen(0), rate(2, "okay"));
    expect(wayOf(trajectory)).toHaveLength(2);
    expect(after(trajectory, goOn).at).toBe(1);
  });
  it("brings later steps back with the old choice", () => {
    const changed = second(rate(0, "great"), reopen(0), choose(1));
    expect(wayOf(changed)).toHaveLength(1);
    expect(answers(after(changed, choose(0), goOn))).toEqual(["great", null]);
  });
  it("cannot reopen what was not reached", () => expect(after(second(), reopen(9)).at).toBe(1));
});

describe("undo", () => {
  it("takes back one rating at a time, across steps", () => {
    const trajectory = second(rate(0, "bad"), undo, undo);
    expect([trajectory.at, trajectory.focus.index, answers(trajectory)]).toEqual([0, 2, ["great", "great", null]]);
  });
  it("takes back a choice, and the choice that a rating changed", () => {
    expect(chosen(settled(choose(1), undo))).toBe("a");
    expect(chosen(settled(rate(0, "bad"), undo))).toBe("a");
  });
  it("takes back an own step, and its rewording", () => {
    expect(completionsOf(placeOf(settled(...own("mine"), undo)))).toHaveLength(3);
    expect(chosen(settled(...own("one"), ...own("two"), undo))).toBe("one");
  });
  it("never rewrites the history", () =>
    expect(started(rate(0, "great"), undo, rate(0, "bad")).history.map(({ rating }) => rating)).toEqual([1, null, -1]));
  it("records no rating where only a choice changed", () =>
    expect(settled(choose(1), undo).history).toEqual(settled().history));
  it("stops at the beginning", () => expect(after(begin(null, null), undo)).toEqual(begin(null, null)));
});

describe("the end", () => {
  const ended = (...actions: Action[]) => second(rate(0, "okay"), rate(1, "great"), ...actions);
  it("is there when the choice states the answer and everything is rated", () => {
    expect(finishReason(second(rate(1, "great")))).toBeNull();
    expect(finishReason(ended())).toBe("solution");
  });
  it("is not there at a step that states none", () => expect(finishReason(settled())).toBeNull());
  it("can be passed over, and come back to while nothing more was rated", () => {
    const beyond = ended(goOn, offered(["a", "# Answer\n\n5"], "x"));
    expect(finishReason(beyond)).toBeNull();
    expect(rows(after(beyond, reopen(1)), "solution").at(-1)).toEqual([1, 1, "# Answer\n\n5", 1, "chosen"]);
    expect(finishReason(after(beyond, rate(0, "bad"), reopen(1)))).toBeNull();
  });
  it("can be an own step", () =>
    expect(finishReason(after(begin(null, null), ...own("So $\\boxed{5}$.")))).toBe("solution"));
});

describe("what is sent", () => {
  it("is every completion of every step", () =>
    expect(rows(second(rate(0, "okay"), rate(1, "great")), "solution")).toEqual([
      [0, 0, "a", 1, "chosen"],
      [0, 1, "b", 1],
      [0, 2, "c", -1],
      [1, 0, "d", 0],
      [1, 1, "# Answer\n\n5", 1, "chosen"],
    ]));
  it("is what was rated when giving up, numbered without gaps", () =>
    expect(rows(started(rate(0, "okay"), rate(2, "great")))).toEqual([
      [0, 0, "a", 0],
      [0, 1, "c", 1, "chosen"],
    ]));
  it("leaves out steps behind a choice that was changed", () =>
    expect(rows(second(rate(0, "great"), reopen(0), choose(1)))).toEqual([
      [0, 0, "a", 1],
      [0, 1, "b", 1, "chosen"],
      [0, 2, "c", -1],
    ]));
  it("flags what is unsure", () =>
    expect(toSubmission(started(rate(0, "unsure")), "give_up", "why").ratings[0]).toMatchObject({
      rating: null,
      is_flagged: true,
    }));
});

describe("a draft", () => {
  it("brings everything back", () => {
    const trajectory = second(
      spend(20),
      rate(0, "great"),
      { type: "note", step: 0, note: "why?" },
      rate(1, "unsure"),
      spend(30),
    );
    expect(reloaded(trajectory)).toEqual({ ...trajectory, focus: at(0), changes: [], edition: 0 });
  });
  it("brings back steps behind a choice that was changed", () => {
    const trajectory = second(
      rate(0, "great"),
      rate(1, "bad"),
      goOn,
      offered(["a", "d"], "e"),
      rate(0, "bad"),
      reopen(0),
      choose(1),
      goOn,
      offered(["b"], "f"),
    );
    expect(reloaded(trajectory).places).toEqual(trajectory.places);
    expect(pathOf(after(reloaded(trajectory), reopen(0), choose(0), goOn))).toEqual(["a", "d"]);
  });
  it("brings back an own step, also one that is half written", () => {
    const trajectory = settled(...own("mine"), { type: "write", text: " more " }, spend(40));
    expect(reloaded(trajectory).places).toEqual(trajectory.places);
    expect(rows(trajectory).at(-1)).toEqual([0, 3, "mine", 1, "chosen", "human"]);
  });
  it("brings back what was half written where nothing was offered", () =>
    expect(placeOf(reloaded(after(begin(null, null), { type: "write", text: "half" }))).writing?.text).toBe("half"));
  it("begins a revision of what was submitted", () => {
    const trajectory = second(rate(0, "okay"), rate(1, "great"));
    const { ratings, history, active_ms } = toSubmission(trajectory, "solution", "");
    expect(begin(null, { ratings, history, active_ms })).toEqual({ ...trajectory, changes: [], edition: 0 });
  });
  it("is due after everything but time and focus", () => {
    const trajectory = started();
    expect(after(trajectory, spend(100), { type: "part", part: at(1) }).edition).toBe(trajectory.edition);
    expect(after(trajectory, { type: "note", step: 0, note: "n" }).edition).toBeGreaterThan(trajectory.edition);
  });
});

describe("where kinds of error are asked for", () => {
  const named = (index: number, kind: string, step = 0): Action => ({
    type: "mistake",
    spot: { step, part: at(index) },
    change: { kind },
  });
  const asked = { ...NOTHING_ASKED, errorKind: true };
  const asking = (...actions: Action[]) => after(begin(null, null, asked), offered([], "a", "b", "c"), ...actions);
  const kinds = (trajectory: Trajectory) => placeOf(trajectory).offered.map(({ mistake }) => mistake.kind);
  const done = () => asking(rate(0, "great"), rate(1, "bad"), named(1, "d"), rate(2, "bad"), named(2, "c"));

  it("stays with a Bad completion until its kind is said, then goes on", () => {
    expect(asking(rate(0, "bad")).focus.index).toBe(0);
    expect(asking(rate(0, "bad"), rate(1, "great")).focus.index).toBe(0);
    expect(asking(rate(0, "bad"), named(0, "d")).focus.index).toBe(1);
    expect(nameless(asking(rate(1, "bad")))).toEqual({ step: 0, part: at(1) });
    expect(asking(rate(1, "bad"), offered([], "d")).focus.index).toBe(1);
  });
  it("goes to no further step, and ends nowhere, while one has none", () => {
    const open = asking(rate(0, "great"), rate(1, "bad"), rate(2, "okay"), { type: "part", part: at(0) });
    expect(after(open, goOn)).toMatchObject({ at: 0, focus: at(1) });
    expect(pathOf(after(open, goOn, named(1, "d"), goOn))).toEqual(["a"]);
    const ended = after(done(), goOn, offered(["a"], "x", "# Answer\n\n5"), rate(0, "bad"), rate(1, "great"));
    expect(finishReason(ended)).toBeNull();
    expect(finishReason(after(ended, named(0, "d", 1)))).toBe("solution");
  });
  it("comes back to an earlier step", () => {
    const there = asking(rate(0, "great"), rate(1, "okay"), rate(2, "okay"), goOn, offered(["a"], "x"));
    const left = after(there, reopen(0), rate(2, "bad"), reopen(1));
    expect(left.at).toBe(1);
    expect(after(left, rate(0, "great"))).toMatchObject({ at: 0, focus: at(2) });
  });
  it("is taken back by undo, the kind before the rating", () => {
    expect(kinds(after(done(), undo))).toEqual(["", "d", ""]);
    expect(answers(after(done(), undo))).toEqual(["great", "bad", "bad"]);
    expect(answers(after(done(), undo, undo))).toEqual(["great", "bad", null]);
  });
  it("is kept by a draft, and sent with the rating", () => {
    const words: Action = { type: "mistake", spot: { step: 0, part: at(1) }, change: { span: [0, 1] } };
    const said = after(done(), words);
    expect(begin(null, toDraft(said, 1), asked).places).toEqual(said.places);
    const [great, bad] = toSubmission(said, "solution", "").ratings;
    expect(great).toMatchObject({ error_kind: "", error_start: null });
    expect(bad).toMatchObject({ error_kind: "d", error_start: 0, error_end: 1 });
    expect(toSubmission(after(said, rate(1, "okay")), "solution", "").ratings[1]).toMatchObject({ error_kind: "" });
  });
  it("is asked again after a reload", () =>
    expect(begin(null, toDraft(asking(rate(1, "bad")), 1), asked)).toMatchObject({ at: 0, focus: at(1) }));
  it("asks nothing of an own step", () =>
    expect(nameless(asking(rate(0, "okay"), rate(1, "okay"), rate(2, "okay"), ...own("mine")))).toBeNull());
});

describe("completions that come later", () => {
  it("are added once, and open the step again", () => {
    const trajectory = settled(offered([], "c", "z"));
    expect(answers(trajectory)).toEqual(["great", "great", "bad", null]);
    expect([trajectory.focus.index, chosenIndex(placeOf(trajectory))]).toEqual([3, 0]);
  });
  it("that are known already change nothing", () => {
    const trajectory = settled();
    expect(after(trajectory, offered([], "a", "b"))).toBe(trajectory);
  });
  it("leave the focus alone when they belong to another step", () =>
    expect(second(offered([], "q")).focus.index).toBe(0));
});

describe("time", () => {
  it("goes to the completion in focus, and to what is being written", () => {
    const trajectory = settled(
      spend(10),
      { type: "write", text: "m" },
      spend(20),
      { type: "accept", statesAnswer: false },
      spend(5),
    );
    const place = placeOf(trajectory);
    expect([place.offered[2]?.activeMs, place.own?.activeMs, trajectory.activeMs]).toEqual([10, 25, 35]);
  });
});

describe("a final answer", () => {
  it.each([
    "# Answer\n\n\\frac{1}{2}",
    "## Final Answer:\n7",
    "#### 18",
    "A: 18",
    "answer: 4",
    "so the answer is 12.",
    "It is $\\boxed{\\frac{1}{2}}$.",
    "$\\fboxed{3}$",
  ])("is stated by %j", (text) => expect(statesAnswer(text)).toBe(true));
  it.each([
    "",
    "So x = 4.",
    "# Answer\n \n",
    "#### ",
    "The answer is ",
    "\\boxed{}",
    "\\boxed{4",
    "Answers: 4",
    "An answer: 4 follows",
  ])("is not stated by %j", (text) => expect(statesAnswer(text)).toBe(false));
});
