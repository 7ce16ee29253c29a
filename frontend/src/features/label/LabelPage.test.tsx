import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment, Draft, Submitted } from "@/api/types";
import { sessionQuery } from "@/shared/session";
import { SignInGate } from "@/shared/SignInGate";
import LabelPage from "./LabelPage";
import OutboxNotice from "./OutboxNotice";

const PHASE = "0b7f2c9e-0000-4000-8000-000000000001";

function assignment(id: string, changes: Partial<Assignment> = {}): Assignment {
  return {
    id,
    lease_expires_at: "2030-01-01T00:00:00Z",
    phase: { id: PHASE, name: "Algebra", kind: "solutions", instructions: "", guidelines_version: 3, later_steps: "dimmed" },
    is_screening: false,
    labelling: null,
    report: null,
    round_number: 2,
    problem: { statement: `Problem of ${id}`, reference_answer: "18", subject: "" },
    solution: { steps: ["first step", "second step", "third step"] },
    draft: null,
    ...changes,
  };
}

function asking(asks: Partial<Assignment["phase"]>): Assignment {
  const plain = assignment("task-1");
  return { ...plain, phase: { ...plain.phase, ...asks } };
}

interface Call { method: string; path: string; body: Record<string, unknown> | null; csrf: string | null }
type Reply = (call: Call) => Response | Promise<Response>;

let calls: Call[];
let replies: Record<string, Reply>;
let people = 0;

function json(body: unknown, status = 200): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });
}

const claimed = (task: Assignment | null, reason = task ? "" : "nothing_left") => ({ assignment: task, reason });
const submitted = (next: Assignment | null, more: Partial<Submitted> = {}) =>
  json({ labelling_id: "x", checks: [], screening: null, feedback: null, next: claimed(next), ...more });
const unreachable: Reply = () => {
  throw new TypeError("Failed to fetch");
};

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  const text = await request.text();
  const call = { method: request.method, path, body: text ? (JSON.parse(text) as Call["body"]) : null, csrf: request.headers.get("X-CSRFToken") };
  calls.push(call);
  const parts = path.split("/");
  const last = parts.at(-2) ?? "";
  return (replies[last] ?? replies[parts.at(-3) ?? ""] ?? (() => json({})))(call);
}

function sent(name: string): Call[] {
  return calls.filter((call) => call.path.endsWith(`/${name}/`));
}

/** A claim for the task in hand, or for the one after it. */
function claims(inHand: Assignment | null, ahead: Assignment | null): Reply {
  return ({ body }) => json(body?.ahead ? claimed(ahead) : claimed(inHand));
}

async function open(user = `user-${++people}`) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } } });
  const person = { id: user, username: user, role: "annotator" as const, is_admin: false, is_ml_staff: false, is_expert: false, preferences: { isTourSeen: true } };
  queries.setQueryData(sessionQuery.queryKey, { user: person });
  if (!("session" in replies)) replies.session = () => json({ user: person });
  const page = render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}><SignInGate><OutboxNotice /><LabelPage phase={PHASE} /></SignInGate></QueryClientProvider>
    </MantineProvider>,
  );
  await waitFor(() => expect(screen.queryByLabelText("Loading")).toBeNull());
  return Object.assign(userEvent.setup(), { page, id: user });
}

/** Drafts go out when the tab is out of sight, at the latest. */
function hide(): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
}

beforeEach(() => {
  calls = [];
  replies = {
    claim: claims(assignment("task-1"), assignment("task-2")),
    submit: () => submitted(assignment("task-2")),
  };
  document.cookie = "csrftoken=secret";
  localStorage.clear();
  window.history.replaceState(null, "", `/label/${PHASE}`);
  vi.stubGlobal("fetch", answer);
});

describe("labelling by keys", () => {
  it("rates a whole solution and submits it", async () => {
    const user = await open();
    await user.keyboard("12g");
    expect(screen.getByText("The whole solution is fine")).toBeTruthy();
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]).toMatchObject({ path: "/api/assignments/task-1/submit/", csrf: "secret" });
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "solution", guidelines_version: 3, revises: null,
      ratings: [{ step: 0, rating: 1 }, { step: 1, rating: 0 }, { step: 2, rating: 1 }],
      history: [{ step: 0, rating: 1 }, { step: 1, rating: 0 }, { step: 2, rating: 1 }],
    });
  });

  it("stops at the first bad step, and a correction opens the rest", async () => {
    const user = await open();
    await user.keyboard("13");
    expect(screen.getByText("Error found at step 2")).toBeTruthy();
    expect(screen.getByText("Not labelled")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Okay" }));
    expect(screen.queryByText("Not labelled")).toBeNull();
    expect(screen.getByRole("group", { name: "Rating of step 3" })).toBeTruthy();
  });

  it("says each rating to screen readers", async () => {
    const user = await open();
    await user.keyboard("u");
    expect(screen.getByText("Step 1: Unsure.")).toBeTruthy();
  });

  it("does not submit before the end", async () => {
    const user = await open();
    await user.keyboard("1{Enter}");
    expect(sent("submit")).toEqual([]);
  });

  it("types letters into a note without rating", async () => {
    replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("n");
    await user.type(screen.getByLabelText("Note on step 1"), "big gap");
    expect(screen.getByText("0 of 3 steps rated")).toBeTruthy();
  });

  it("shows later steps only when they are reached, where the phase hides them", async () => {
    replies.claim = claims(asking({ later_steps: "hidden" }), null);
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
    expect(sent("submit")[0]?.body).toMatchObject({ finish_reason: "give_up", finish_note: "too long", ratings: [{ step: 0, rating: 1 }] });
  });

  it("takes a digit and Enter", async () => {
    const user = await open();
    await user.keyboard("p");
    await screen.findByRole("textbox");
    await user.keyboard("2{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({ finish_reason: "bad_problem", finish_note: "Something is missing", ratings: [] });
  });
});

describe("the next task", () => {
  it("is there before the server has answered", async () => {
    let arrive: (reply: Response) => void = () => undefined;
    const reply = new Promise<Response>((resolve) => (arrive = resolve));
    replies.submit = () => reply;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(2));
    await user.keyboard("3{Enter}");
    expect(screen.getByText("Problem of task-2")).toBeTruthy();
    await user.keyboard("3");
    expect(screen.getByText("Error found at step 1")).toBeTruthy();
    await act(async () => {
      arrive(submitted(assignment("task-2")));
      await reply;
    });
    expect(screen.getByText("Error found at step 1")).toBeTruthy();
    await waitFor(() => expect(sent("claim").at(-1)?.body).toEqual({ ahead: true }));
  });

  it("comes with the server's answer when nothing was ahead", async () => {
    replies.claim = claims(assignment("task-1"), null);
    replies.submit = () => submitted(null);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("All done here");
  });
});

describe("drafts", () => {
  const ratings: Draft["ratings"] = [
    { step: 0, completion: 0, text: "", rating: 0, is_flagged: false, is_chosen: true, is_human: false, note: "", active_ms: 5 },
  ];
  const draft: Draft = { version: 7, ratings, solution_progress: "", finish_note: "", history: [], active_ms: 5 };

  it("are kept here at once, and sent when the tab is out of sight", async () => {
    replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("1");
    await screen.findByText("Saved in this browser");
    await user.keyboard("2");
    expect(sent("draft")).toEqual([]);
    hide();
    await waitFor(() => expect(sent("draft")).toHaveLength(1));
    expect(sent("draft")[0]?.body).toMatchObject({ version: 1, ratings: [{ rating: 1 }, { rating: 0 }, { rating: null }] });
    await screen.findByText("Saved");
  });

  it("are not sent once the task is submitted", async () => {
    const user = await open();
    await user.keyboard("13{Enter}");
    await screen.findByText("Problem of task-2");
    hide();
    user.page.unmount();
    expect(sent("draft")).toEqual([]);
  });

  it("are sent before the task is given back", async () => {
    replies.claim = claims(assignment("task-1"), null);
    replies.release = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("1");
    await user.click(screen.getByRole("button", { name: "Give the task back" }));
    await waitFor(() => expect(sent("release")).toHaveLength(1));
    expect(calls.map(({ path }) => path.split("/").at(-2)).slice(-2)).toEqual(["draft", "release"]);
  });

  it("come back after a reload", async () => {
    replies.claim = claims(assignment("task-1", { draft }), null);
    const user = await open();
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    await user.keyboard("1");
    hide();
    await waitFor(() => expect(sent("draft")[0]?.body).toMatchObject({ version: 8 }));
  });

  it("that never left the browser come back, and go to the server", async () => {
    replies.claim = claims(assignment("task-1", { draft }), null);
    replies.draft = unreachable;
    const user = await open();
    await user.keyboard("1");
    user.page.unmount();
    delete replies.draft;
    calls = [];
    await open(user.id);
    expect(screen.getByText("2 of 3 steps rated")).toBeTruthy();
    hide();
    await waitFor(() => expect(sent("draft").at(-1)?.body).toMatchObject({ version: 9, ratings: [{ rating: 0 }, { rating: 1 }, {}] }));
  });

  it("here give way to newer ones from another device", async () => {
    const user = await open();
    await user.keyboard("11");
    user.page.unmount();
    replies.claim = claims(assignment("task-1", { draft }), null);
    await open(user.id);
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
  });
});

describe("without the server", () => {
  it("submissions wait, and go out once and in order", async () => {
    replies.submit = unreachable;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(2));
    await user.keyboard("3{Enter}");
    await screen.findByText("Problem of task-2");
    await user.keyboard("13{Enter}");
    await screen.findByText("You are offline");
    expect(screen.getByText("Offline: 2 submissions waiting")).toBeTruthy();
    calls = [];
    replies.submit = ({ path }) => submitted(path.includes("task-1") ? assignment("task-2") : assignment("task-3"));
    window.dispatchEvent(new Event("online"));
    await screen.findByText("Problem of task-3");
    expect(sent("submit").map((call) => call.path)).toEqual(["/api/assignments/task-1/submit/", "/api/assignments/task-2/submit/"]);
    expect(screen.queryByText(/Offline/)).toBeNull();
  });

  it("a submission outlives the page, and its task is not shown again", async () => {
    replies.submit = unreachable;
    replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("You are offline");
    user.page.unmount();
    calls = [];
    replies.submit = () => submitted(assignment("task-2"));
    await open(user.id);
    await screen.findByText("Problem of task-2");
    expect(sent("submit")).toHaveLength(1);
    expect(sent("claim").filter((call) => !call.body?.ahead)).toEqual([]);
  });

  it("keeps a submission that the server does not take, with its words, until its author has looked at it", async () => {
    replies.submit = () => json({ detail: "Step 1 has no rating.", code: "invalid_labelling" }, 400);
    replies["task-1"] = () => json(assignment("task-1"));
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(2));
    await user.keyboard("13{Enter}");
    await screen.findByText("Step 1 has no rating.");
    expect(screen.getAllByText("Problem of task-2")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Look again" }));
    await screen.findByText("You are looking at this one again.");
    expect(screen.getByText("Error found at step 2")).toBeTruthy();
    replies.submit = () => submitted(assignment("task-2"));
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
    expect(screen.queryByText("Step 1 has no rating.")).toBeNull();
  });

  it("tells people who were taken out of the phase", async () => {
    replies.claim = () => json({ detail: "No Phase matches the given query.", code: "not_found" }, 404);
    await open();
    expect(await screen.findByText("You are not in this phase")).toBeTruthy();
    expect(screen.queryByText(/matches the given query/)).toBeNull();
  });

  it("lets a refused submission go only when its author is sure", async () => {
    replies.submit = () => json({ detail: "This round was closed.", code: "round_closed" }, 409);
    const user = await open();
    await user.keyboard("3{Enter}");
    await user.click(await screen.findByRole("button", { name: "Discard" }));
    expect(screen.getByText("This round was closed.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Discard it for good" }));
    expect(screen.queryByText("This round was closed.")).toBeNull();
  });

  it("waits for its author when somebody else has signed in", async () => {
    replies.submit = () => json({ detail: "There is no such task in your hands.", code: "not_found" }, 404);
    replies.session = () => json({ user: null });
    const user = await open();
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("session")).toHaveLength(1));
    expect(Object.keys(localStorage).filter((key) => key.startsWith(`stepmark.outbox.${user.id}`))).toHaveLength(1);
    expect(screen.queryByText("Not accepted")).toBeNull();
  });
});

describe("after the first bad step", () => {
  const offer = (texts: string[], status = "ready") => json({ status, detail: "", completions: texts.map((text) => ({ text, states_answer: false })) });
  const all = { asks_alternatives: true, asks_critiques: true, asks_progress: true };

  beforeEach(() => {
    replies.claim = claims(asking(all), null);
    replies.completions = ({ body }) => offer(body?.purpose === "critique" ? ["wrong sign"] : ["other way", "third way"]);
  });

  it("goes through what the phase asks for, by the same keys, and submits it", async () => {
    const user = await open();
    await user.keyboard("13");
    await screen.findByText("wrong sign");
    expect(sent("completions").map((call) => [call.body?.purpose, call.body?.path])).toEqual([
      ["step", ["first step"]], ["critique", ["first step", "second step"]],
    ]);
    await user.keyboard("14");
    expect(screen.getByText("Alternative B: Unsure.")).toBeTruthy();
    await user.keyboard("{Enter}1");
    expect(screen.getByText("Next: how far had it got?")).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(sent("submit")).toEqual([]);
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "found_error", solution_progress: "most", critiques: [{ text: "wrong sign", rating: 1, is_human: false }],
      ratings: [
        { step: 0, completion: 0 }, { step: 1, completion: 0, rating: -1 },
        { step: 1, completion: 1, text: "other way", rating: 1, is_chosen: false },
        { step: 1, completion: 2, text: "third way", rating: null, is_flagged: true, is_chosen: false },
      ],
    });
  });

  it("takes one's own critique instead of rating those on offer", async () => {
    replies.claim = claims(asking({ asks_critiques: true }), null);
    const user = await open();
    await user.keyboard("3w");
    await user.type(await screen.findByRole("textbox"), "Adds 2, should add 3{Escape}");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body?.critiques).toEqual([{ text: "Adds 2, should add 3", rating: null, is_human: true }]);
  });

  it("asks for no alternatives when the generator failed", async () => {
    replies.claim = claims(asking({ asks_alternatives: true }), null);
    replies.completions = () => json({ status: "failed", detail: "It is away.", completions: [] });
    const user = await open();
    await user.keyboard("3");
    await screen.findByText(/It is away/);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
  });

  it("can go on without waiting for a slow generator", async () => {
    replies.claim = claims(asking({ asks_alternatives: true }), null);
    replies.completions = () => offer([], "pending");
    const user = await open();
    await user.keyboard("3{Enter}");
    expect(sent("submit")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Go on without" }));
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
  });
});

describe("one's own last submissions", () => {
  const labelling: Assignment["labelling"] = {
    id: "labelling-0", finish_reason: "found_error", critiques: [], history: [], active_ms: 900, finish_note: "", solution_progress: "",
    ratings: [{ step: 0, completion: 0, text: "first step", rating: -1, is_flagged: false, is_chosen: true, is_human: false, note: "", active_ms: 900 }],
  };
  const recent = [{
    id: "labelling-0", assignment: "task-0", submitted_at: "2026-01-01T10:00:00Z", finish_reason: "found_error", checks: [], active_ms: 900,
    statement: "Problem of task-0", ratings: [-1],
  }];

  beforeEach(() => {
    replies.recent = () => json(recent);
    replies["task-0"] = () => json(assignment("task-0", { submitted_at: "2026-01-01T10:00:00Z", labelling }));
  });

  it("open again as a revision, and the task in hand is there afterwards as it was", async () => {
    const user = await open();
    await user.keyboard("1h");
    await screen.findByText("Problem of task-0");
    await user.keyboard("{Enter}");
    await screen.findByText("You are revising what you submitted.");
    expect(screen.getByText("Error found at step 1")).toBeTruthy();
    await user.keyboard("{ArrowUp}2113{Enter}");
    await screen.findByText("Problem of task-1");
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]).toMatchObject({ path: "/api/assignments/task-0/submit/", body: { revises: "labelling-0", finish_reason: "found_error" } });
    expect(sent("draft").filter((call) => call.path.includes("task-0"))).toEqual([]);
  });

  it("can be left as they are", async () => {
    const user = await open();
    await user.keyboard("1h");
    await screen.findByText("Problem of task-0");
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: "Back to the task in hand" }));
    await screen.findByText("Problem of task-1");
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    expect(sent("submit")).toEqual([]);
  });
});

describe("what the server has to say", () => {
  it("shows what looked odd, and opens the task again", async () => {
    replies.submit = () => submitted(assignment("task-2"), { checks: ["no_error"] });
    replies["task-1"] = () => json(assignment("task-1"));
    const user = await open();
    await user.keyboard("111{Enter}");
    await screen.findByText(/You found no error. Now and then a submission like this comes up again, at random/);
    expect(screen.getByText("Problem of task-2")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /Look again/ }));
    await screen.findByText("You are looking at this one again.");
  });

  it("reports the reference answer", async () => {
    replies.report = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("r");
    await user.type(await screen.findByRole("textbox"), "It is 20{Enter}");
    await waitFor(() => expect(sent("report")[0]?.body).toEqual({ kind: "reference_answer", note: "It is 20" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("explains a lost lease in its own words", async () => {
    replies.draft = () => json({ detail: "Somebody else has this task now.", code: "lease_lost" }, 409);
    const user = await open();
    await user.keyboard("3");
    hide();
    await screen.findByText("Somebody else has this task now.");
    await user.click(screen.getByRole("button", { name: "Carry on" }));
    await waitFor(() => expect(sent("claim").filter((call) => !call.body?.ahead)).toHaveLength(2));
  });

  it.each([["no_open_round", "No round is open"], ["phase_not_running", "This phase is paused"], ["not_a_member", "You are not in this phase"]])(
    "explains %s", async (reason, title) => {
      replies.claim = () => json({ assignment: null, reason });
      await open();
      expect(screen.getByRole("heading", { name: title })).toBeTruthy();
    });
});

describe("screening", () => {
  const feedback = { gold: [1, -1], given: [1, 0, -1], agreement: 1 / 3, rationale: "The sign is lost." };

  it("shows the experts' ratings before the next task", async () => {
    replies.claim = claims(assignment("task-1", { is_screening: true }), null);
    replies["task-1"] = () => json(assignment("task-1", { is_screening: true }));
    replies.submit = () => submitted(assignment("task-2", { is_screening: true }), { feedback, screening: { done: 1, total: 4, state: "pending" } });
    const user = await open();
    expect(sent("claim")).toHaveLength(1);
    await user.keyboard("123{Enter}");
    await screen.findByText("Step 2 is where you first differ from the experts. 33 % agreement");
    await screen.findByText("The sign is lost.");
    expect(screen.queryByText("Problem of task-2")).toBeNull();
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
  });

  it("says when it is passed", async () => {
    replies.claim = claims(assignment("task-1", { is_screening: true }), null);
    replies.submit = () => submitted(assignment("task-9"), { screening: { done: 4, total: 4, state: "passed" } });
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByRole("heading", { name: "Screening passed" });
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-9");
  });
});
