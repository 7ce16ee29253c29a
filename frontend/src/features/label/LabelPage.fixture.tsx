import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, vi } from "vitest";
import type { Assignment, Claim, Submitted } from "@/api/types";
import { sessionQuery } from "@/shared/session/session";
import { SignInGate } from "@/shared/session/SignInGate";
import SenderNotice from "@/work/SenderNotice";
import LabelPage from "./LabelPage";
import classes from "./LabelPage.module.css";

// jsdom loads no styles: this one hides the prerendered next task, so that queries by role skip it.
document.head.append(
  Object.assign(document.createElement("style"), { textContent: `.${classes.waiting} { visibility: hidden; }` }),
);

export const PHASE = "0b7f2c9e-0000-4000-8000-000000000001";

export function assignment(id: string, changes: Partial<Assignment> = {}): Assignment {
  return {
    id,
    lease_expires_at: "2030-01-01T00:00:00Z",
    submitted_at: null,
    phase: {
      id: PHASE,
      name: "Algebra",
      kind: "solutions",
      profile: "mathematics",
      instruction: "Judge the steps by the mathematics.",
      meanings: { great: "Correct.", okay: "Adds nothing.", bad: "Wrong." },
      rates_all_steps: false,
      carries_errors: false,
      finishes_by_hand: false,
      error_kinds: [],
      asks_error_words: false,
      asks_root_cause: false,
      asks_result: false,
      guidelines_version: 3,
      later_steps: "dimmed",
      asks_alternatives: false,
      asks_critiques: false,
      asks_progress: false,
      asks_why_unsure: false,
    },
    is_screening: false,
    labelling: null,
    report: null,
    has_answer: false,
    round_number: 2,
    problem: { statement: `Problem of ${id}`, reference_answer: "18", subject: "", markup: "mathematics" },
    solution: { steps: ["first step", "second step", "third step"], markup: "mathematics" },
    draft: null,
    ...changes,
  };
}

export function asking(asks: Partial<Assignment["phase"]>): Assignment {
  const plain = assignment("task-1");
  return { ...plain, phase: { ...plain.phase, ...asks } };
}

/** Submitted before: the first step is Bad. */
export const LABELLING: NonNullable<Assignment["labelling"]> = {
  ...{ id: "labelling-0", finish_reason: "found_error", finish_note: "", solution_progress: "", result: "" },
  ...{ critiques: [], history: [], active_ms: 900 },
  ratings: [
    {
      ...{ step: 0, completion: 0, text: "first step", rating: -1, note: "", active_ms: 900 },
      ...{ is_flagged: false, is_chosen: true, is_human: false },
      ...{ error_kind: "", error_start: null, error_end: null, root_cause: null },
    },
  ],
};

interface Call {
  method: string;
  path: string;
  body: Record<string, unknown> | null;
  csrf: string | null;
}
export type Reply = (call: Call) => Response | Promise<Response>;

/** The page's requests, and the replies by the last (or last but one) part of the path. */
export const server = { calls: [] as Call[], replies: {} as Record<string, Reply> };
let people = 0;

export function json(body: unknown, status = 200): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });
}

export const claimed = (task: Assignment | null): Claim => ({ assignment: task, reason: task ? "" : "nothing_left" });
const progress: Submitted["progress"] = {
  today: 7,
  this_round: 7,
  total: 7,
  round_number: 2,
  round_done: 9,
  round_wanted: 99,
  median_ms: null,
  quality: null,
  answers: 0,
};
export const submitted = (next: Assignment | null, more: Partial<Submitted> = {}) =>
  json({
    labelling_id: "x",
    checks: [],
    screening: null,
    feedback: null,
    next: claimed(next),
    ahead: null,
    progress,
    ...more,
  } satisfies Submitted);
export const unreachable: Reply = () => {
  throw new TypeError("Failed to fetch");
};

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  const text = await request.text();
  const call = {
    method: request.method,
    path,
    body: text ? (JSON.parse(text) as Call["body"]) : null,
    csrf: request.headers.get("X-CSRFToken"),
  };
  server.calls.push(call);
  const parts = path.split("/");
  const last = parts.at(-2) ?? "";
  return (server.replies[last] ?? server.replies[parts.at(-3) ?? ""] ?? (() => json({})))(call);
}

export function sent(name: string): Call[] {
  return server.calls.filter((call) => call.path.endsWith(`/${name}/`));
}

/** Claims for the task in hand, or for those after it. */
export function claims(inHand: Assignment | null, ...ahead: (Assignment | null)[]): Reply {
  return ({ body }) => json(claimed([inHand, ...ahead][Number(body?.ahead)] ?? null));
}

export async function open(user = `user-${++people}`) {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } },
  });
  const person = {
    id: user,
    username: user,
    role: "annotator" as const,
    is_superuser: false,
    is_admin: false,
    is_ml_staff: false,
    is_expert: false,
    phases_run: [],
    preferences: { isTourSeen: true },
  };
  queries.setQueryData(sessionQuery.queryKey, { user: person, is_shared: false });
  if (!("session" in server.replies)) server.replies.session = () => json({ user: person, is_shared: false });
  const page = render(
    <QueryClientProvider client={queries}>
      <SignInGate>
        <SenderNotice />
        <LabelPage phase={PHASE} />
      </SignInGate>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.queryByLabelText("Loading")).toBeNull());
  return Object.assign(userEvent.setup(), { page, id: user });
}

/** Hides the tab, which makes the page send its draft. */
export function hide(): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  fireEvent(document, new Event("visibilitychange"));
}

beforeEach(() => {
  server.calls = [];
  server.replies = {
    claim: claims(assignment("task-1"), assignment("task-2")),
    submit: () => submitted(assignment("task-2")),
  };
  document.cookie = "csrftoken=secret";
  localStorage.clear();
  window.history.replaceState(null, "", `/label/${PHASE}`);
  vi.stubGlobal("fetch", answer);
});
