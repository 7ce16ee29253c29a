import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { PhaseSettings } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { PhaseMoves } from "./PhasePage";

const CLOSES = /Its open rounds close, and so does its screening/;

async function question(
  before: PhaseSettings["status"],
  button: string,
  after: PhaseSettings["status"],
): Promise<string> {
  const effects = [{ setting: "status", before, after, applies: "at_once", tasks_in_hand: 2, people: 3 }];
  serve({
    "/api/phases/phase-1/loop/": { parts: [], due: { act: null } },
    "/api/phases/phase-1/settings/": { effects },
  });
  open("/phases/phase-1", <PhaseMoves phase={{ id: "phase-1", name: "Algebra", status: before } as PhaseSettings} />);
  await userEvent.click(screen.getByText(button));
  return (await screen.findByRole("group", { name: "What this will affect" })).textContent;
}

it.each(["running", "paused"] as const)("says what closing a %s phase does to its rounds", async (before) => {
  expect(await question(before, "Close", "closed")).toMatch(CLOSES);
});

it("says that the rounds of a phase that is opened again stay closed", async () => {
  expect(await question("closed", "Reopen", "running")).toContain(
    "Its screening opens with it, if it has one; its other rounds stay closed. Reopen what people are to label, or publish the next round.",
  );
});

it("says nothing of rounds where they stay as they are", async () => {
  const asked = await question("running", "Pause", "paused");
  expect(asked).not.toMatch(CLOSES);
  expect(asked).toContain("2 tasks in hand, 3 people");
});
