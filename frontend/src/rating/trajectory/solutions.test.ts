import { describe, expect, it } from "vitest";
import type { RatingWord } from "@/shared/words/ratings";
import { begin, toDraft, toSubmission } from "./draft";
import { reduce, type Action } from "./moves";
import type { Part } from "./places";
import {
  answeredCount,
  finishReason,
  firstBad,
  frontier,
  NOTHING_ASKED,
  openPart,
  placeOf,
  ratingOf,
  unexplained,
  type Trajectory,
} from "./trajectory";

const STEPS = ["p", "q", "r", "s"];

function after(labelling: Trajectory, ...actions: (Action | RatingWord)[]): Trajectory {
  return actions.reduce(
    (state, action) => reduce(state, typeof action === "string" ? { type: "answer", answer: action } : action),
    labelling,
  );
}

const focus = (step: number): Action => ({ type: "focus", step });
const fresh = () => begin(STEPS, null);
const answers = (labelling: Trajectory) => STEPS.map((_, step) => ratingOf(labelling, step));
const besideBad = (labelling: Trajectory) => placeOf(labelling, firstBad(labelling) ?? -1);
const alternatives = (labelling: Trajectory) =>
  besideBad(labelling)
    .offered.slice(1)
    .map(({ answer }) => answer);
const missing = (labelling: Trajectory) => openPart(labelling)?.kind ?? null;
const named = ({ kind, index }: Part) => `${kind} ${index}`;

describe("rating in order", () => {
  it("starts at the first step", () => expect(fresh().at).toBe(0));
  it("moves on after a rating", () => expect(after(fresh(), "great", "okay").at).toBe(2));
  it("cannot run ahead of the first open step", () => expect(after(fresh(), "great", focus(3)).at).toBe(1));
  it("cannot run out of the list", () => expect(after(fresh(), focus(-1)).at).toBe(0));
  it("counts an unsure step as answered, without a rating", () => {
    const labelling = after(fresh(), "unsure");
    expect(toDraft(labelling, 1).ratings[0]).toMatchObject({ rating: null, is_flagged: true });
    expect(labelling.at).toBe(1);
  });
});

describe("a step that is unsure", () => {
  const asked = { ...NOTHING_ASKED, whyUnsure: true };
  const ended = (last: RatingWord) => after(begin(STEPS, null, asked), "great", "unsure", "great", last);
  it("asks why, where the phase does", () =>
    expect([finishReason(ended("great")), finishReason(ended("bad")), unexplained(ended("great"))]).toEqual([
      null,
      null,
      1,
    ]));
  it("is done with a note", () => {
    const noted = after(ended("great"), { type: "note", step: 1, note: "Is it given?" });
    expect([finishReason(noted), unexplained(noted)]).toEqual(["solution", null]);
  });
  it("asks nothing elsewhere", () =>
    expect(finishReason(after(fresh(), "great", "unsure", "great", "great"))).toBe("solution"));
});

describe("the first bad step", () => {
  const ended = () => after(fresh(), "great", "bad");
  it("ends it", () =>
    expect([finishReason(ended()), firstBad(ended()), frontier(ended())]).toEqual(["found_error", 1, 1]));
  it("leaves later steps unlabelled", () =>
    expect(toSubmission(ended(), "found_error", "").ratings.map((rating) => rating.rating)).toEqual([1, -1]));
  it("opens the rest again when it is corrected", () => {
    const corrected = after(ended(), "okay");
    expect([finishReason(corrected), corrected.at]).toEqual([null, 2]);
  });
  it("hides later answers, and a correction brings them back", () => {
    const cut = after(fresh(), "great", "great", "okay", "great", focus(1), "bad");
    expect([answeredCount(cut), toSubmission(cut, "found_error", "").ratings.length]).toEqual([2, 2]);
    const restored = after(cut, "great");
    expect([answers(restored), finishReason(restored)]).toEqual([["great", "great", "okay", "great"], "solution"]);
  });
});

describe("finishing", () => {
  it("is open while a step waits", () => expect(finishReason(after(fresh(), "great", "great", "great"))).toBeNull());
  it("is the whole solution when no step is bad", () =>
    expect(finishReason(after(fresh(), "great", "okay", "unsure", "great"))).toBe("solution"));
  it("is an error when only the last step is bad", () =>
    expect(finishReason(after(fresh(), "great", "great", "great", "bad"))).toBe("found_error"));
  it("keeps what there is when giving up", () =>
    expect(toSubmission(after(fresh(), "great"), "give_up", "too hard")).toMatchObject({
      ratings: [{ step: 0, rating: 1 }],
      finish_reason: "give_up",
      finish_note: "too hard",
    }));
});

describe("correcting", () => {
  it("happens in place and returns to the open step", () => {
    const labelling = after(fresh(), "great", "great", focus(0), "okay");
    expect([answers(labelling), labelling.at]).toEqual([["okay", "great", null, null], 2]);
  });
  it("undoes one rating at a time", () => {
    const labelling = after(fresh(), "great", "bad", { type: "undo" });
    expect([answers(labelling).slice(0, 2), labelling.at]).toEqual([["great", null], 1]);
    expect(answers(after(labelling, { type: "undo" }, { type: "undo" }))).toEqual([null, null, null, null]);
  });
  it("undoes a correction to what stood before", () =>
    expect(answers(after(fresh(), "great", focus(0), "bad", { type: "undo" }))[0]).toBe("great"));
  it("never rewrites the history", () => {
    const labelling = after(fresh(), { type: "spend", ms: 1500 }, "great", { type: "undo" }, "bad");
    expect(labelling.history).toEqual([
      { step: 0, completion: 0, rating: 1, at_ms: 1500 },
      { step: 0, completion: 0, rating: null, at_ms: 1500 },
      { step: 0, completion: 0, rating: -1, at_ms: 1500 },
    ]);
  });
  it("records the same answer once", () => expect(after(fresh(), "great", focus(0), "great").history).toHaveLength(1));
});

describe("time and drafts", () => {
  it("spends time on the step in focus", () => {
    const labelling = after(fresh(), { type: "spend", ms: 1000 }, "great", { type: "spend", ms: 250.4 });
    expect(labelling.places.map(({ offered }) => offered[0]?.activeMs).slice(0, 2)).toEqual([1000, 250.4]);
    expect(toDraft(labelling, 1).active_ms).toBe(1250);
  });
  it("comes back from its draft", () => {
    const before = after(
      fresh(),
      "great",
      "unsure",
      { type: "note", step: 1, note: "why?" },
      { type: "spend", ms: 10 },
    );
    const restored = begin(STEPS, toDraft(before, 3));
    expect(restored).toEqual({ ...before, changes: [], edition: 0 });
  });
});

describe("beside the first bad step", () => {
  const asked = { completions: true, critiques: true, progress: true };
  const offer = (kind: "completions" | "critiques", ...texts: string[]): Action => ({
    type: "offered",
    path: kind === "critiques" ? ["p", "q"] : ["p"],
    kind,
    completions: texts.map((text) => ({ text, states_answer: false })),
  });
  const bad = (...actions: (Action | RatingWord)[]) => after(begin(STEPS, null, asked), "great", "bad", ...actions);
  const offered = (...actions: (Action | RatingWord)[]) =>
    bad(offer("completions", "a", "b"), offer("critiques", "c"), ...actions);

  it("asks for nothing where the phase asks for nothing", () => expect(missing(after(fresh(), "bad"))).toBeNull());
  it("holds the keys back until the alternatives have come", () => {
    const waiting = bad("great", "great");
    expect([answers(waiting).slice(0, 2), missing(waiting), waiting.focus]).toEqual([
      ["great", "bad"],
      "completions",
      { kind: "completions", index: 1 },
    ]);
  });
  it("goes from one to the next, and is finished after the last", () => {
    const parts = [offered(), offered("great"), offered("great", "unsure"), offered("great", "unsure", "bad")].map(
      ({ focus: part }) => part,
    );
    expect(parts.map(named)).toEqual(["completions 1", "completions 2", "critiques 0", "progress 0"]);
    expect(finishReason(offered("great", "unsure", "bad"))).toBeNull();
    expect(finishReason(offered("great", "unsure", "bad", "okay"))).toBe("found_error");
  });
  it("knows no unsure critique", () =>
    expect(offered("great", "okay", "unsure").focus).toEqual({ kind: "critiques", index: 0 }));
  it("asks for none when none came", () =>
    expect(finishReason(bad(offer("completions"), offer("critiques"), "great"))).toBe("found_error"));
  it("goes on without those that do not come", () =>
    expect(missing(bad({ type: "skip", kind: "completions" }, { type: "skip", kind: "critiques" }))).toBe("progress"));
  it("takes one's own critique for those on offer", () =>
    expect(missing(offered("great", "great", { type: "critique", text: "No." }))).toBe("progress"));
  it("lets the keys go past the critiques once one's own is written", () => {
    const critique = (text: string) => offered("great", "great", { type: "critique", text }).focus;
    expect([critique(""), critique("No.")].map(named)).toEqual(["critiques 0", "progress 0"]);
  });
  it("moves through them by arrows, and back to the step", () => {
    const walked = [1, 1, 1, 1, -1, -1, -1, -1, -1].reduce(
      (states, by) => [...states, reduce(states.at(-1) ?? offered(), { type: "move", by: by as 1 | -1 })],
      [offered()],
    );
    expect(walked.map(({ at, focus: part }) => (named(part) === "completions 0" ? at : named(part)))).toEqual([
      "completions 1",
      "completions 2",
      "critiques 0",
      "progress 0",
      "progress 0",
      "critiques 0",
      "completions 2",
      "completions 1",
      1,
      0,
    ]);
  });
  it("undoes their answers one by one, then the step's", () => {
    const undone = offered("great", "unsure", "bad", "okay", { type: "undo" }, { type: "undo" }, { type: "undo" });
    expect([besideBad(undone).progress, alternatives(undone), undone.focus]).toEqual([
      null,
      ["great", null],
      { kind: "completions", index: 2 },
    ]);
    expect(answers(after(undone, { type: "undo" }, { type: "undo" }))[1]).toBeNull();
  });
  it("keeps them for when a correction is taken back, and submits none meanwhile", () => {
    const corrected = offered("great", focus(1), "okay");
    expect(toSubmission(corrected, "give_up", "why").ratings.map((rating) => rating.completion)).toEqual([0, 0]);
    expect(alternatives(after(corrected, { type: "undo" }))).toEqual(["great", null]);
  });
  it("sends ratings of alternatives only, with a history, when it gives up", () => {
    const { ratings, critiques, solution_progress, history } = toSubmission(
      offered("great", "great", "bad", "bad"),
      "give_up",
      "why",
    );
    expect(ratings.map(({ step, completion, rating, is_chosen }) => [step, completion, rating, is_chosen])).toEqual([
      [0, 0, 1, true],
      [1, 0, -1, true],
      [1, 1, 1, false],
      [1, 2, 1, false],
    ]);
    expect([critiques, solution_progress]).toEqual([[], ""]);
    expect(history.map(({ step, completion }) => [step, completion])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });
  it("leaves what was skipped out", () => {
    const skipped = offered("great", { type: "skip", kind: "completions" }, "great", "great");
    expect(toSubmission(skipped, "found_error", "").ratings.filter(({ completion }) => completion > 0)).toHaveLength(1);
  });
  it("comes back from a draft that has the alternatives last", () => {
    const { ratings, ...draft } = toDraft(offered("great", "bad"), 2);
    const sorted = ratings.toSorted((one, other) => one.completion - other.completion);
    expect(alternatives(begin(STEPS, { ...draft, ratings: sorted }, asked))).toEqual(["great", "bad"]);
  });
  it("comes back from its draft, and knows again what is offered again", () => {
    const before = offered("great", "bad", "okay", "great", { type: "critique", text: "Mine." });
    const restored = after(
      begin(STEPS, toDraft(before, 2), asked),
      offer("completions", "a", "b"),
      offer("critiques", "c"),
    );
    expect(toDraft(restored, 2)).toEqual(toDraft(before, 2));
  });
  it("counts the time where the keys go", () => {
    const spent = offered({ type: "spend", ms: 30 }, "great", { type: "spend", ms: 50 });
    expect(
      toDraft(spent, 1)
        .ratings.filter(({ completion }) => completion > 0)
        .map((rating) => rating.active_ms),
    ).toEqual([30, 50]);
  });
});
