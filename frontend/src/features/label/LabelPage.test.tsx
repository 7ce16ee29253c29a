import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { asking, assignment, claims, hide, json, open, sent, server, submitted } from "./LabelPage.fixture";

describe("labelling by keys", () => {
  it("rates a whole solution and submits it", async () => {
    const user = await open();
    await user.keyboard("12g");
    await screen.findByText("The whole solution is fine");
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]).toMatchObject({ path: "/api/assignments/task-1/submit/", csrf: "secret" });
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "solution",
      guidelines_version: 3,
      revises: null,
      ratings: [
        { step: 0, rating: 1 },
        { step: 1, rating: 0 },
        { step: 2, rating: 1 },
      ],
      history: [
        { step: 0, rating: 1 },
        { step: 1, rating: 0 },
        { step: 2, rating: 1 },
      ],
    });
  });

  it("does not call a solution fine that has unsure steps", async () => {
    const user = await open();
    await user.keyboard("144");
    await screen.findByText("No error found, 2 steps are flagged Unsure");
    expect(screen.queryByText("The whole solution is fine")).toBeNull();
  });

  it("goes to the step whose note is missing, and submits once it is there", async () => {
    server.replies.claim = claims(asking({ asks_why_unsure: true }), null);
    const user = await open();
    await user.keyboard("411");
    await screen.findByText("Next: say in a note why you are unsure about step 1.");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Note on Step 1")));
    await user.keyboard("Is 1 allowed?{Control>}{Enter}{/Control}{Enter}");
    await waitFor(() => expect(sent("submit")[0]?.body).toMatchObject({ finish_reason: "solution" }));
  });

  it("stops at the first bad step, and a correction opens the rest", async () => {
    const user = await open();
    await user.keyboard("13");
    await screen.findByText("Error found at step 2");
    expect(screen.getByText("Not labelled")).toBeTruthy();
    await screen.findByText("Problem of task-2");
    await user.click(screen.getByRole("button", { name: "Okay" }));
    expect(screen.queryByText("Not labelled")).toBeNull();
    await screen.findByRole("group", { name: "Rating of step 3" });
  });

  it("says each rating to screen readers", async () => {
    const user = await open();
    await user.keyboard("u");
    await screen.findByText("Step 1: Unsure.");
  });

  it("does not submit before the end", async () => {
    const user = await open();
    await user.keyboard("1{Enter}");
    expect(sent("submit")).toEqual([]);
  });

  it("types letters into a note without rating", async () => {
    server.replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("n");
    await user.type(screen.getByLabelText("Note on Step 1"), "big gap");
    expect(screen.getByText("0 of 3 steps rated")).toBeTruthy();
    await user.keyboard("{Control>}{Enter}{/Control}1");
    expect(await screen.findByText("1 of 3 steps rated")).toBeTruthy();
    expect(screen.getByRole("button", { name: "big gap" })).toBeTruthy();
  });

  it("shows later steps only when they are reached, where the phase hides them", async () => {
    server.replies.claim = claims(asking({ later_steps: "hidden" }), null);
    const user = await open();
    expect(screen.queryByText("second step")).toBeNull();
    await user.keyboard("1");
    expect(screen.getByText("second step")).toBeTruthy();
    expect(screen.queryByText("third step")).toBeNull();
  });
});

describe("giving a reason", () => {
  it("is asked for before giving up", async () => {
    const user = await open();
    await user.keyboard("1x");
    await user.type(await screen.findByRole("textbox"), "too long{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "give_up",
      finish_note: "too long",
      ratings: [{ step: 0, rating: 1 }],
    });
  });

  it("takes a digit and Enter", async () => {
    const user = await open();
    await user.keyboard("p");
    await screen.findByRole("textbox");
    await user.keyboard("2{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "bad_problem",
      finish_note: "Something is missing",
      ratings: [],
    });
  });
});

describe("messages to and from the server", () => {
  it("shows the soft checks, and reopens the task", async () => {
    server.replies.submit = () => submitted(assignment("task-2"), { checks: ["no_error"] });
    server.replies["task-1"] = () => json(assignment("task-1"));
    const user = await open();
    await user.keyboard("111{Enter}");
    await screen.findByText(/You found no error. Now and then a submission like this comes up again, at random/);
    expect(screen.getByText("Problem of task-2")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /Look again/ }));
    await screen.findByText("You are looking at this one again.");
  });

  it("asks a question, and shows the answers", async () => {
    const asked = {
      ...{ id: "q-1", assignment: null, statement: "Problem", created_at: "2026-11-23T08:00:00Z", read_at: null },
      ...{ question: "May I skip a step?", answer: "No.", closed_at: "2026-11-23T09:00:00Z" },
    };
    server.replies.questions = () => json([asked]);
    server.replies.report = () => new Response(null, { status: 204 });
    server.replies.claim = claims(assignment("task-1", { has_answer: true }), null);
    const user = await open();
    expect(screen.getByRole("button", { name: /Question/ }).textContent).toContain("answered");
    await user.keyboard("q");
    await screen.findByText("May I skip a step?");
    screen.getByText("No.");
    await waitFor(() => expect(sent("read")[0]?.body).toEqual({ questions: ["q-1"] }));
    await user.keyboard("And the last one?{Enter}");
    await waitFor(() => expect(sent("report")[0]?.body).toEqual({ kind: "question", note: "And the last one?" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    const waiting = { ...asked, id: "q-2", question: "And the last one?", answer: "", closed_at: null };
    server.replies.questions = () => json([waiting, asked]);
    await user.keyboard("q");
    const box = await screen.findByDisplayValue("And the last one?");
    expect(document.activeElement).toBe(box);
  });

  it("reports the reference answer", async () => {
    server.replies.report = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("r");
    await user.type(await screen.findByRole("textbox"), "It is 20{Enter}");
    await waitFor(() => expect(sent("report")[0]?.body).toEqual({ kind: "reference_answer", note: "It is 20" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("reports a step that should be cut in two", async () => {
    server.replies.report = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("1v");
    const box = await screen.findByDisplayValue<HTMLTextAreaElement>("second step");
    box.setSelectionRange(7, 7);
    await user.click(screen.getByRole("button", { name: "Cut at the cursor" }));
    await waitFor(() => expect(sent("report")[0]?.body).toEqual({ kind: "steps", step: 1, place: 7 }));
    await screen.findByText("Reported");
  });

  it("reports two steps that are one, but for the last", async () => {
    server.replies.report = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("11v");
    await screen.findByDisplayValue("third step");
    expect(screen.queryByRole("button", { name: "One step with the next" })).toBeNull();
    await user.keyboard("{Escape}k");
    await user.click(screen.getAllByRole("button", { name: /Cuts/ })[0] as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "One step with the next" }));
    await waitFor(() => expect(sent("report")[0]?.body).toEqual({ kind: "steps", step: 1 }));
  });

  it("explains a lost lease in its own words", async () => {
    server.replies.draft = () => json({ detail: "Somebody else has this task now.", code: "lease_lost" }, 409);
    const user = await open();
    await user.keyboard("3");
    hide();
    await screen.findByText("Somebody else has this task now.");
    await user.click(screen.getByRole("button", { name: "Carry on" }));
    await waitFor(() => expect(sent("claim").filter((call) => !call.body?.ahead)).toHaveLength(2));
  });

  it.each([
    ["no_open_round", "No round is open"],
    ["phase_not_running", "This phase is not running"],
    ["not_a_member", "You are not in this phase"],
  ])("explains %s", async (reason, title) => {
    server.replies.claim = () => json({ assignment: null, reason });
    await open();
    expect(screen.getByRole("heading", { name: title })).toBeTruthy();
  });
});

describe("screening", () => {
  const feedback = {
    gold: [1, -1],
    given: [1, 0, -1],
    agreement: 1 / 3,
    rationale: "The sign is lost.",
    gold_mistakes: [],
    given_mistakes: [],
  };

  it("names the kind of error given by both annotator and experts", async () => {
    server.replies.claim = claims(assignment("task-1", { is_screening: true }), null);
    server.replies["task-1"] = () => json(assignment("task-1", { is_screening: true }));
    server.replies.submit = () =>
      submitted(null, {
        feedback: {
          ...feedback,
          given: [1, -1],
          gold_mistakes: [{ step: 1, kind: "Calculation: Signs", root_cause: 1 }],
          given_mistakes: [{ step: 1, kind: "Reading", root_cause: 0 }],
        },
        screening: { done: 1, total: 4, agreement: 1, pass_mark: 0.75, state: "pending" },
      });
    const user = await open();
    await user.keyboard("13{Enter}");
    expect((await screen.findByText("Reading · because of step 1")).closest("span")?.textContent).toContain("You: Bad");
    const theirs = screen.getByText("Calculation: Signs · the root cause");
    expect(theirs.closest("span")?.textContent).toContain("Experts: Bad");
  });

  it("shows the experts' ratings before the next task", async () => {
    server.replies.claim = claims(assignment("task-1", { is_screening: true }), null);
    server.replies["task-1"] = () => json(assignment("task-1", { is_screening: true }));
    server.replies.submit = () =>
      submitted(assignment("task-2", { is_screening: true }), {
        feedback,
        screening: { done: 1, total: 4, agreement: 1 / 3, pass_mark: 0.75, state: "pending" },
      });
    const user = await open();
    expect(sent("claim")).toHaveLength(1);
    await user.keyboard("123{Enter}");
    await screen.findByText("Step 2 is where you first differ from the experts. 33 % agreement");
    screen.getByText("33 % agreement overall; the pass mark is 75 %");
    await screen.findByText("The sign is lost.");
    screen.getByText("Problem of task-1");
    const steps = screen.getAllByRole("listitem");
    expect(steps.map((step) => step.hasAttribute("data-differs"))).toEqual([false, true, true]);
    await waitFor(() => expect(document.activeElement).toBe(steps[1]));
    expect(screen.queryByText("Problem of task-2")).toBeNull();
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
  });

  it("says when the screening is passed", async () => {
    server.replies.claim = claims(assignment("task-1", { is_screening: true }), null);
    server.replies.submit = () =>
      submitted(assignment("task-9"), {
        screening: { done: 4, total: 4, agreement: 0.8, pass_mark: 0.75, state: "passed" },
      });
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByRole("heading", { name: "Screening passed" });
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-9");
  });
});
