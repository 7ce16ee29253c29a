import { describe, expect, it } from "vitest";
import {
  answeredCount,
  begin,
  besideBad,
  finishReason,
  firstBad,
  frontier,
  missing,
  reduce,
  toDraft,
  toSubmission,
  type Action,
  type Labelling,
} from "./labelling";
import type { RatingWord } from "@/shared/ratings";

function after(labelling: Labelling, ...actions: (Action | RatingWord)[]): Labelling {
  return actions.reduce(
    (state, action) => reduce(state, typeof action === "string" ? { type: "answer", answer: action } : action),
    labelling,
  );
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
  it("ends it", () =>
    expect([finishReason(ended()), firstBad(ended()), frontier(ended())]).toEqual(["found_error", 1, 1]));
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
      ratings: [{ step: 0, rating: 1 }],
      finish_reason: "give_up",
      finish_note: "too hard",
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
    const before = after(
      fresh(),
      "great",
      "unsure",
      { type: "note", step: 1, note: "why?" },
      { type: "spend", ms: 10 },
    );
    const restored = begin(4, toDraft(before, 3));
    expect(restored).toEqual({ ...before, changes: [] });
  });
});

describe("beside the first bad step", () => {
  const asked = { alternatives: true, critiques: true, progress: true };
  const offer = (kind: "alternatives" | "critiques", ...texts: string[]): Action => ({
    type: "offer",
    step: 1,
    kind,
    texts,
    isPending: false,
  });
  const bad = (...actions: (Action | RatingWord)[]) => after(begin(4, null, asked), "great", "bad", ...actions);
  const offered = (...actions: (Action | RatingWord)[]) =>
    bad(offer("alternatives", "a", "b"), offer("critiques", "c"), ...actions);

  it("asks for nothing where the phase asks for nothing", () => expect(missing(after(fresh(), "bad"))).toBeNull());
  it("holds the keys back until the alternatives have come", () => {
    const waiting = bad("great", "great");
    expect([answers(waiting).slice(0, 2), missing(waiting), waiting.part]).toEqual([
      ["great", "bad"],
      "alternatives",
      { kind: "alternatives", index: 0 },
    ]);
  });
  it("goes from one to the next, and is finished after the last", () => {
    const parts = [offered(), offered("great"), offered("great", "unsure"), offered("great", "unsure", "bad")].map(
      ({ part }) => part,
    );
    expect(parts.map((part) => `${part?.kind} ${part?.index}`)).toEqual([
      "alternatives 0",
      "alternatives 1",
      "critiques 0",
      "progress 0",
    ]);
    expect(finishReason(offered("great", "unsure", "bad"))).toBeNull();
    expect(finishReason(offered("great", "unsure", "bad", "okay"))).toBe("found_error");
  });
  it("knows no unsure critique", () =>
    expect(offered("great", "okay", "unsure").part).toEqual({ kind: "critiques", index: 0 }));
  it("asks for none when none came", () =>
    expect(finishReason(bad(offer("alternatives"), offer("critiques"), "great"))).toBe("found_error"));
  it("goes on without those that do not come", () =>
    expect(missing(bad({ type: "skip", kind: "alternatives" }, { type: "skip", kind: "critiques" }))).toBe("progress"));
  it("takes one's own critique for those on offer", () =>
    expect(missing(offered("great", "great", { type: "critique", text: "No." }))).toBe("progress"));
  it("moves through them by arrows, and back to the step", () => {
    const walked = [1, 1, 1, 1, -1, -1, -1, -1, -1].reduce(
      (states, by) => [...states, reduce(states.at(-1) ?? offered(), { type: "move", by: by as 1 | -1 })],
      [offered()],
    );
    expect(walked.map(({ focus: step, part }) => (part ? `${part.kind} ${part.index}` : step))).toEqual([
      "alternatives 0",
      "alternatives 1",
      "critiques 0",
      "progress 0",
      "progress 0",
      "critiques 0",
      "alternatives 1",
      "alternatives 0",
      1,
      0,
    ]);
  });
  it("undoes their answers one by one, then the step's", () => {
    const undone = offered("great", "unsure", "bad", "okay", { type: "undo" }, { type: "undo" }, { type: "undo" });
    expect([
      besideBad(undone).progress,
      besideBad(undone).alternatives.map((item) => item.answer),
      undone.part,
    ]).toEqual([null, ["great", null], { kind: "alternatives", index: 1 }]);
    expect(answers(after(undone, { type: "undo" }, { type: "undo" }))[1]).toBeNull();
  });
  it("keeps them for when a correction is taken back, and submits none meanwhile", () => {
    const corrected = offered("great", focus(1), "okay");
    expect(toSubmission(corrected, "give_up", "why").ratings.map((rating) => rating.completion)).toEqual([0, 0]);
    expect(besideBad(after(corrected, { type: "undo" })).alternatives[0]?.answer).toBe("great");
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
    expect(history?.map(({ step, completion }) => [step, completion])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });
  it("leaves what was skipped out", () => {
    const skipped = offered("great", { type: "skip", kind: "alternatives" }, "great", "great");
    expect(toSubmission(skipped, "found_error", "").ratings.filter(({ completion }) => completion > 0)).toHaveLength(1);
  });
  it("comes back from its draft, and knows again what is offered again", () => {
    const before = offered("great", "bad", "okay", "great", { type: "critique", text: "Mine." });
    const restored = after(
      begin(4, toDraft(before, 2), asked),
      offer("alternatives", "a", "b"),
      offer("critiques", "c"),
    );
    expect(toDraft(restored, 2)).toEqual(toDraft(before, 2));
  });
  it("counts the time where the keys go", () => {
    const spent = offered({ type: "spend", ms: 30 }, "great", { type: "spend", ms: 50 });
    expect(
      toDraft(spent, 1)
        .ratings.slice(-2)
        .map((rating) => rating.active_ms),
    ).toEqual([30, 50]);
  });
});
