import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Affected } from "@/api/types";
import { EVERYTHING, open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import { Withdrawals } from "./Withdrawals";

const AFFECTED = { labellings: 2, labels: 5, golds: 1, tasks: 1, snapshots: 1, models: ["spring"] };

function show(withdrawn: Affected["withdrawn"] = [], user = EVERYTHING): Request[] {
  const asked = serve(({ method }) =>
    method === "GET" ? { ...AFFECTED, withdrawn } : new Response(null, { status: 204 }),
  );
  open("/pool/s1", <Withdrawals solution="s1" problem="p1" />, user);
  return asked;
}

const sentOf = (asked: Request[]) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, url }) => `${method} ${new URL(url).pathname}`);

it("says what a withdrawal affects, and asks for the reason", async () => {
  const asked = show();
  const hands = userEvent.setup();
  await hands.click(await screen.findByRole("button", { name: "Withdraw the problem…" }));
  const said = (await screen.findByText(/in closed rounds too/)).textContent;
  expect(said).toContain("5 labels, 2 labellings of 1 task, 1 gold label.");
  expect(said).toContain("Already trained on them: spring.");
  const send = screen.getByRole("button", { name: "Withdraw" });
  expect(send).toHaveProperty("disabled", true);
  await hands.type(screen.getByLabelText(/Reason/), "It contradicts itself.");
  await hands.click(send);
  expect(sentOf(asked)).toEqual(["POST /api/problems/p1/withdrawal/"]);
  expect(await sentIn(asked)).toEqual([{ why: "It contradicts itself." }]);
});

it("shows who withdrew it and why, and undoes the widest withdrawal first", async () => {
  const of = { by: "edda", at: "2026-03-02T12:00:00Z" };
  const asked = show([
    { of: "solution", why: "A copy.", ...of },
    { of: "problem", why: "Contradictory.", ...of },
  ]);
  const hands = userEvent.setup();
  await screen.findByText("A copy.");
  expect(screen.getAllByText("edda")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /Withdraw the/ })).toBeNull();
  await hands.click(screen.getByRole("button", { name: "Undo withdrawal" }));
  expect(sentOf(asked)).toEqual(["DELETE /api/problems/p1/withdrawal/"]);
});

it("offers no withdrawal to people who are not admins", async () => {
  show([], { ...EVERYTHING, is_admin: false });
  await screen.findByText("It is in use.");
  expect(screen.queryByRole("button")).toBeNull();
});
