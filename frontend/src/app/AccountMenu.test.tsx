import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Assignment, Draft, Submission, User } from "@/api/types";
import { keepOnlyHere } from "@/shared/session/keeping";
import { sessionQuery } from "@/shared/session/session";
import { SignInGate } from "@/shared/session/SignInGate";
import SenderNotice from "@/work/SenderNotice";
import { useSender } from "@/work/sending/useSender";
import type { Sender } from "@/work/sending/sender";
import { AccountMenu } from "./AccountMenu";

const OTHERS = "stepmark.work.ben.task-9";
const THEIRS = JSON.stringify({ at: Date.now() });
const TASK = { id: "task-1", labelling: null, draft: null, phase: { id: "p" }, problem: { statement: "1 + 1" } };
const task = TASK as unknown as Assignment;
let asked: string[];
let answers: Record<string, () => Response>;
let people = 0;

function See({ onSender }: { onSender: (sender: Sender) => void }) {
  onSender(useSender());
  return null;
}

async function open(isShared: boolean) {
  const user = { id: `ada-${++people}`, username: "ada", role: "annotator" } as User;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(sessionQuery.queryKey, { user, is_shared: isShared });
  keepOnlyHere(isShared);
  answers.session = () => Response.json({ user, is_shared: isShared });
  let sender: Sender | null = null;
  render(
    <QueryClientProvider client={queries}>
      <SignInGate otherwise="Nobody is here">
        <SenderNotice />
        <See onSender={(own) => (sender = own)} />
        <AccountMenu user={user} />
      </SignInGate>
    </QueryClientProvider>,
  );
  await screen.findByText("ada");
  const signOut = () => userEvent.click(screen.getByRole("button", { name: "Sign out" }));
  return { sender: sender as unknown as Sender, signOut };
}

beforeEach(() => {
  asked = [];
  answers = {};
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem(OTHERS, THEIRS);
  vi.stubGlobal("fetch", async (request: Request) => {
    const name = new URL(request.url).pathname.split("/").at(-2) ?? "";
    asked.push(`${request.method} ${name}`);
    if (request.method === "DELETE" && !answers.delete) return new Response(null, { status: 204 });
    return await Promise.resolve((answers[request.method.toLowerCase()] ?? answers[name])?.() ?? Response.json({}));
  });
});
afterEach(() => keepOnlyHere(false));

const busy = () => Response.json({ status: 503, code: "unavailable", detail: "Busy." }, { status: 503 });
const isOut = () => screen.findByText("Nobody is here");

it("signs out after the draft on the screen has been sent", async () => {
  const { sender, signOut } = await open(false);
  sender.open(
    task,
    () => undefined,
    () => undefined,
  );
  sender.keep(task, (version) => ({ version }) as Draft);
  await signOut();
  await isOut();
  expect(asked.filter((each) => !each.startsWith("GET"))).toEqual(["PUT draft", "DELETE session"]);
});

it("asks before signing out on a shared computer would lose work", async () => {
  answers.submit = busy;
  const { sender, signOut } = await open(true);
  sender.submit(task, {} as Submission);
  await signOut();
  await screen.findByRole("dialog", { name: "You are still signed in" });
  expect(asked).not.toContain("DELETE session");
  expect(Object.keys(sessionStorage)).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Sign out and lose it" }));
  await isOut();
  expect([sessionStorage.length, localStorage.getItem(OTHERS)]).toEqual([0, THEIRS]);
});

it("keeps unsent work on a private computer", async () => {
  answers.submit = busy;
  const { sender, signOut } = await open(false);
  sender.submit(task, {} as Submission);
  await signOut();
  await isOut();
  expect(Object.keys(localStorage).filter((key) => key.startsWith("stepmark.work."))).toHaveLength(2);
});

it("says why signing out failed", async () => {
  answers.delete = busy;
  const { signOut } = await open(false);
  await signOut();
  expect((await screen.findByRole("dialog")).textContent).toContain("Busy.");
  await userEvent.click(screen.getByRole("button", { name: "Stay signed in" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
