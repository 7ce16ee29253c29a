import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Affected, User } from "@/api/types";
import { Withdrawals } from "./Withdrawals";

configure({ asyncUtilTimeout: 10_000 });
let is_admin = true;
vi.mock("@/shared/session/session", () => ({ useUser: () => ({ is_admin }) as User }));

const AFFECTED = { labellings: 2, labels: 5, golds: 1, tasks: 1, snapshots: 1, models: ["spring"] };
let withdrawn: Affected["withdrawn"];
let sent: unknown[];

beforeEach(() => {
  [is_admin, withdrawn, sent] = [true, [], []];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET")
      return new Response(JSON.stringify({ ...AFFECTED, withdrawn }), {
        headers: { "Content-Type": "application/json" },
      });
    sent.push([request.method, pathname, await request.text()]);
    return new Response(null, { status: 204 });
  });
});

function open(): void {
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Withdrawals solution="s1" problem="p1" />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it("says what it concerns, and asks for the reason", async () => {
  open();
  const hands = userEvent.setup();
  await hands.click(await screen.findByRole("button", { name: "Withdraw the problem…" }));
  const said = (await screen.findByText(/in closed rounds too/)).textContent;
  expect(said).toContain("5 labels, 2 labellings of 1 task, 1 gold label.");
  expect(said).toContain("Already trained on them: spring.");
  const send = screen.getByRole("button", { name: "Withdraw" });
  expect(send).toHaveProperty("disabled", true);
  await hands.type(screen.getByLabelText(/Reason/), "It contradicts itself.");
  await hands.click(send);
  expect(sent).toEqual([["POST", "/api/problems/p1/withdrawal/", '{"why":"It contradicts itself."}']]);
});

it("shows who withdrew it and why, and undoes the widest withdrawal first", async () => {
  const of = { by: "edda", at: "2026-03-02T12:00:00Z" };
  withdrawn = [
    { of: "solution", why: "A copy.", ...of },
    { of: "problem", why: "Contradictory.", ...of },
  ];
  open();
  const hands = userEvent.setup();
  await screen.findByText("A copy.");
  expect(screen.getAllByText("edda")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /Withdraw the/ })).toBeNull();
  await hands.click(screen.getByRole("button", { name: "Undo withdrawal" }));
  expect(sent).toEqual([["DELETE", "/api/problems/p1/withdrawal/", ""]]);
});

it("offers nothing to who is no admin", async () => {
  is_admin = false;
  open();
  await screen.findByText("It is in use.");
  expect(screen.queryByRole("button")).toBeNull();
});
