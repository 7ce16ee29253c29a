import { describe, expect, it } from "vitest";
import { answeredCount, begin, finishReason, firstBad, frontier, reduce, toDraft, toSubmission, type Action, type Answer, type Labelling } from "./labelling";

function after(labelling: Labelling, ...actions: (Action | Answer)[]): Labelling {
  return actions.reduce((state, action) => reduce(state, typeof action === "string" ? { type: "answer", answer: action } : action), labelling);
}

const focus = (step: number): Action => ({ type: "focus", step });
const fresh = () => begin(4, null);
const answers = (labelling: Labelling) => labelling.steps.map((step) => step.answer);

describe("rating in order", () => {
  it("starts at the first step", () => expect(fresh().focus).toBe(0));
  it("moves on after a rating", () => expect(after(fresh(), "great", "okay").focus).toBe(2));
  it("cannot run ahead of the first open step", () => expect(after(fresh(), "great", focus(3)).focus).toBe(1));
  it("cannot run out of the list", () => expect(after(fresh(), focus(-1)).focus).toBe(0));
  it("counts an unsure step as answered, without a rating", () => {
    const labelling = after(fresh(), "unsure");
    expect(toDraft(labelling, 1).ratings[0]).toMatchObject({ rating: null, is_flagged: true });
    expect(labelling.focus).toBe(1);
  });
});

describe("the first bad step", () => {
  const ended = () => after(fresh(), "great", "bad");
  it("ends it", () => expect([finishReason(ended()), firstBad(ended()), frontier(ended())]).toEqual(["found_error", 1, 1]));
  it("leaves later steps unlabelled", () =>
    expect(toSubmission(ended(), "found_error", "").ratings.map((rating) => rating.rating)).toEqual([1, -1]));
  it("opens the rest again when it is corrected", () => {
    const corrected = after(ended(), "okay");
    expect([finishReason(corrected), corrected.focus]).toEqual([null, 2]);
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
      ratings: [{ step: 0, rating: 1 }], finish_reason: "give_up", finish_note: "too hard",
    }));
});

describe("correcting", () => {
  it("happens in place and returns to the open step", () => {
    const labelling = after(fresh(), "great", "great", focus(0), "okay");
    expect([answers(labelling), labelling.focus]).toEqual([["okay", "great", null, null], 2]);
  });
  it("undoes one rating at a time", () => {
    const labelling = after(fresh(), "great", "bad", { type: "undo" });
    expect([answers(labelling).slice(0, 2), labelling.focus]).toEqual([["great", null], 1]);
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
    expect(labelling.steps.map((step) => step.activeMs).slice(0, 2)).toEqual([1000, 250.4]);
    expect(toDraft(labelling, 1).active_ms).toBe(1250);
  });
  it("comes back from its draft", () => {
    const before = after(fresh(), "great", "unsure", { type: "note", step: 1, note: "why?" }, { type: "spend", ms: 10 });
    const restored = begin(4, toDraft(before, 3));
    expect(restored).toEqual({ ...before, changes: [] });
  });
});
