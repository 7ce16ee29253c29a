import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment, Draft } from "@/api/types";
import LabelPage from "./LabelPage";

const PHASE = "0b7f2c9e-0000-4000-8000-000000000001";

function assignment(id: string, draft: Draft | null = null): Assignment {
  return {
    id,
    lease_expires_at: "2030-01-01T00:00:00Z",
    phase: { id: PHASE, name: "Algebra", kind: "solutions", instructions: "" },
    is_screening: false,
    labelling: null,
    report: null,
    round_number: 2,
    problem: { statement: `Problem of ${id}`, reference_answer: "18", subject: "" },
    solution: { steps: ["first step", "second step", "third step"] },
    draft,
  };
}

interface Call { method: string; path: string; body: Record<string, unknown> | null; csrf: string | null }

let calls: Call[];
let replies: Record<string, () => Response>;

function json(body: unknown, status = 200): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });
}

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  const text = await request.text();
  calls.push({ method: request.method, path, body: text ? (JSON.parse(text) as Call["body"]) : null, csrf: request.headers.get("X-CSRFToken") });
  const last = path.split("/").at(-2) ?? "";
  return (replies[last] ?? (() => json({})))();
}

function sent(name: string): Call[] {
  return calls.filter((call) => call.path.endsWith(`/${name}/`));
}

async function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}><LabelPage phase={PHASE} /></QueryClientProvider>
    </MantineProvider>,
  );
  await waitFor(() => expect(screen.queryByLabelText("Loading")).toBeNull());
  return userEvent.setup();
}

beforeEach(() => {
  calls = [];
  replies = {
    claim: () => json({ assignment: assignment("task-1"), reason: "" }),
    submit: () => json({ labelling_id: "x", next: { assignment: assignment("task-2"), reason: "" } }),
  };
  document.cookie = "csrftoken=secret";
  vi.stubGlobal("fetch", answer);
});

describe("labelling by keys", () => {
  it("rates a whole solution, submits it and shows the next task at once", async () => {
    const user = await open();
    await user.keyboard("12g");
    expect(screen.getByText("The whole solution is fine")).toBeTruthy();
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
    const [call] = sent("submit");
    expect(call).toMatchObject({ path: "/api/assignments/task-1/submit/", csrf: "secret" });
    expect(call?.body).toMatchObject({
      finish_reason: "solution",
      ratings: [{ step: 0, rating: 1 }, { step: 1, rating: 0 }, { step: 2, rating: 1 }],
      history: [{ step: 0, rating: 1 }, { step: 1, rating: 0 }, { step: 2, rating: 1 }],
    });
    expect(sent("claim")).toHaveLength(1);
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
    const user = await open();
    await user.keyboard("n");
    await user.type(screen.getByLabelText("Note on step 1"), "big gap");
    expect(screen.getByText("0 of 3 steps rated")).toBeTruthy();
  });

  it("asks for a reason before it gives up", async () => {
    const user = await open();
    await user.keyboard("1x");
    await user.type(await screen.findByRole("textbox"), "too long{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({ finish_reason: "give_up", finish_note: "too long", ratings: [{ step: 0, rating: 1 }] });
  });
});

describe("drafts", () => {
  it("are saved a moment after a rating", async () => {
    const user = await open();
    await user.keyboard("1");
    await waitFor(() => expect(sent("draft")).toHaveLength(1));
    expect(sent("draft")[0]?.body).toMatchObject({ version: 1, ratings: [{ rating: 1 }, { rating: null }, { rating: null }] });
    await screen.findByText("Saved");
  });

  it("come back after a reload", async () => {
    const ratings = [
      { step: 0, completion: 0, text: "", rating: 0 as const, is_flagged: false, is_chosen: true, is_human: false, note: "", active_ms: 5 },
    ];
    const draft = { version: 7, ratings, solution_progress: "" as const, finish_note: "", history: [], active_ms: 5 };
    replies.claim = () => json({ assignment: assignment("task-1", draft), reason: "" });
    const user = await open();
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    await user.keyboard("1");
    await waitFor(() => expect(sent("draft")[0]?.body).toMatchObject({ version: 8 }));
  });
});

describe("when things go wrong", () => {
  it("keeps the work and offers to try again", async () => {
    replies.submit = () => json({ detail: "The database is away." }, 503);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText(/The database is away/);
    replies.submit = () => json({ labelling_id: "x", next: { assignment: null, reason: "nothing_left" } });
    await user.click(screen.getByRole("button", { name: /Try again/ }));
    await screen.findByText("All done here");
  });

  it("explains a lost lease with the server's words", async () => {
    replies.submit = () => json({ detail: "Somebody else has this task now.", code: "lease_lost" }, 409);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("Somebody else has this task now.");
    await user.click(screen.getByRole("button", { name: "Carry on" }));
    await waitFor(() => expect(sent("claim")).toHaveLength(2));
  });

  it.each([["no_open_round", "No round is open"], ["phase_not_running", "This phase is paused"], ["not_a_member", "You are not in this phase"]])(
    "explains %s", async (reason, title) => {
      replies.claim = () => json({ assignment: null, reason });
      await open();
      expect(screen.getByRole("heading", { name: title })).toBeTruthy();
    });
});
