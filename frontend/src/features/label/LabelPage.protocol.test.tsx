import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Assignment, Submission } from "@/api/types";
import { asking, claims, hide, LABELLING, open, sent, server } from "./LabelPage.fixture";

const KINDS: Assignment["phase"]["error_kinds"] = [
  { key: "c", name: "Calculation", parent: "", help: "" },
  { key: "1", name: "Arithmetic", parent: "c", help: "A number comes out wrong." },
  { key: "d", name: "Dead end", parent: "", help: "" },
];

async function on(asks: Partial<Assignment["phase"]>, more: Partial<Assignment> = {}) {
  server.replies.claim = claims({ ...asking(asks), ...more }, null);
  return open();
}

async function submission(): Promise<Submission> {
  await waitFor(() => expect(sent("submit")).toHaveLength(1));
  return sent("submit")[0]?.body as unknown as Submission;
}

const ratings = async () => (await submission()).ratings.map(({ rating }) => rating);

describe("where all steps are rated", () => {
  it("a Bad step ends nothing", async () => {
    const user = await on({ rates_all_steps: true });
    await user.keyboard("131");
    await screen.findByText("Error found at step 2");
    expect(screen.queryByText(/unlabelled/)).toBeNull();
    await user.keyboard("{Enter}");
    expect(await ratings()).toEqual([1, -1, 1]);
    expect((await submission()).finish_reason).toBe("found_error");
  });

  it("counts the errors, and undo takes the last one back", async () => {
    const user = await on({ rates_all_steps: true });
    await user.keyboard("331");
    await screen.findByText("Errors found at 2 steps");
    screen.getByRole("region", { name: "Step 2 of 3, rated Bad" });
    await user.keyboard("z");
    await screen.findByText("Took back: Great on step 3");
    await user.keyboard("z1");
    await user.keyboard("{ArrowDown}1{Enter}");
    expect(await ratings()).toEqual([-1, 1, 1]);
  });

  it("cannot be submitted before the last step is rated", async () => {
    const user = await on({ rates_all_steps: true });
    await user.keyboard("3{Enter}");
    expect(screen.queryByText(/Error found/)).toBeNull();
    expect(sent("submit")).toEqual([]);
  });
});

describe("kinds of error", () => {
  it("are asked for after Bad, by their keys", async () => {
    const user = await on({ error_kinds: KINDS });
    await user.keyboard("13");
    await screen.findByRole("region", { name: "Error of step 2" });
    await screen.findByText("Next: what kind of error has step 2?");
    await user.keyboard("{Enter}");
    expect(sent("submit")).toEqual([]);
    await user.keyboard("1");
    await screen.findByText("Calculation: Arithmetic");
    await user.keyboard("{Enter}");
    const [, bad] = (await submission()).ratings;
    expect(bad).toMatchObject({ rating: -1, error_kind: "1", error_start: null, root_cause: null });
  });

  it("can be changed, and undone, and go with the rating", async () => {
    const user = await on({ error_kinds: KINDS });
    await user.keyboard("3d");
    await screen.findByText("Dead end");
    await user.keyboard("mc");
    await screen.findByText("Calculation");
    await user.keyboard("z");
    await screen.findByText("Dead end");
    await user.keyboard("111{Enter}");
    const { ratings: rows } = await submission();
    expect(rows.map(({ rating, error_kind }) => [rating, error_kind])).toEqual([1, 1, 1].map((rating) => [rating, ""]));
  });

  it("take their keys back once one is chosen: a digit rates again", async () => {
    const user = await on({ error_kinds: KINDS, rates_all_steps: true });
    await user.keyboard("31");
    await screen.findByText("Calculation: Arithmetic");
    await user.keyboard("11{Enter}");
    expect(await ratings()).toEqual([-1, 1, 1]);
  });

  it("may come with words and a root cause", async () => {
    const user = await on({ error_kinds: KINDS, asks_error_words: true, asks_root_cause: true });
    await user.keyboard("13d");
    await user.keyboard("m");
    const box = await screen.findByLabelText<HTMLTextAreaElement>("Which words are wrong?");
    box.setSelectionRange(0, 6);
    fireEvent.select(box);
    await user.click(screen.getByRole("button", { name: "Mark the selected words" }));
    await user.selectOptions(screen.getByLabelText("Which earlier step is to blame?"), "Step 1");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await screen.findByText("Dead end · “second” · because of step 1");
    await user.keyboard("{Enter}");
    const [, bad] = (await submission()).ratings;
    expect(bad).toMatchObject({ error_kind: "d", error_start: 0, error_end: 6, root_cause: 0 });
  });

  it("are kept in the draft, and come back with it", async () => {
    const user = await on({ error_kinds: KINDS });
    await user.keyboard("3d");
    await screen.findByText("Dead end");
    hide();
    await waitFor(() => expect(sent("draft").at(-1)?.body).toMatchObject({ ratings: [{ error_kind: "d" }, {}, {}] }));
  });

  it("are not asked for in a phase without any", async () => {
    const user = await on({});
    await user.keyboard("3");
    await screen.findByText("Error found at step 1");
    expect(screen.queryByRole("region", { name: /Error of/ })).toBeNull();
  });
});

describe("the final result", () => {
  it("is asked for at the end, and its answer sends the labelling", async () => {
    const user = await on({ asks_result: true });
    await user.keyboard("111{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Is the final result right?" });
    expect(sent("submit")).toEqual([]);
    expect(within(dialog).getByRole("group", { name: "Final result" })).toBeTruthy();
    expect(within(dialog).queryByText(/Judge the steps/)).toBeNull();
    await user.keyboard("2");
    expect(await submission()).toMatchObject({ finish_reason: "solution", result: "wrong" });
  });

  it("can be left unanswered for now, which keeps the ratings", async () => {
    const user = await on({ asks_result: true });
    await user.keyboard("13{Enter}");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: /Can’t tell/ }));
    expect(await submission()).toMatchObject({ finish_reason: "found_error", result: "unsure" });
  });

  it("shows what was said where a labelling is revised", async () => {
    const user = await on({ asks_result: true }, { labelling: { ...LABELLING, result: "wrong" } });
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog");
    expect(screen.getByRole("button", { name: /Wrong/, pressed: true })).toBeTruthy();
  });

  it("is not asked for when giving up", async () => {
    const user = await on({ asks_result: true });
    await user.keyboard("x");
    await screen.findByRole("dialog");
    await user.keyboard("1{Enter}");
    expect(await submission()).toMatchObject({ finish_reason: "give_up", result: "" });
  });
});

describe("the words of the domain", () => {
  it("are the phase’s", async () => {
    const medicine = {
      profile: "medicine",
      instruction: "Judge by the case.",
      meanings: { great: "G", okay: "O", bad: "B" },
    };
    await on(medicine as Partial<Assignment["phase"]>);
    expect(screen.getByText(/Judge by the case\./)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Case" })).toBeTruthy();
    expect(screen.getByTitle("B The first Bad step ends the labelling.")).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/mathemat/i);
  });

  it("default to mathematics on a task kept since before phases had a domain", async () => {
    const { id, name, kind, guidelines_version, later_steps } = asking({}).phase;
    const old = { id, name, kind, guidelines_version, later_steps } as Assignment["phase"];
    const user = await on({}, { phase: old });
    expect(screen.getByText(/Judge the steps by the mathematics\./)).toBeTruthy();
    await user.keyboard("13{Enter}");
    expect(await ratings()).toEqual([1, -1]);
  });
});
