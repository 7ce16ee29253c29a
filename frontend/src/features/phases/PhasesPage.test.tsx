import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Phase } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import PhasesPage from "./PhasesPage";

const phase = (id: string, more: Partial<Phase> = {}): Phase =>
  ({
    id,
    name: `Phase ${id}`,
    kind: "solutions",
    status: "running",
    is_member: true,
    screening: "",
    is_paused: false,
    open_round: { number: 1 },
    tasks_available: true,
    ...more,
  }) as Phase;

async function show(phases: Phase[]): Promise<string[]> {
  serve({ "/api/phases/": { results: phases, next: null } });
  open("/label", <PhasesPage />);
  const headings = await screen.findAllByRole("heading", { level: 2 });
  return headings.map(({ textContent }) => textContent);
}

it("keeps the order of the server, where the phase worked in last comes first", async () => {
  expect(await show([phase("b"), phase("a"), phase("c")])).toEqual(["Phase b", "Phase a", "Phase c"]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/b");
});

it("starts another phase if nothing is left in the first", async () => {
  await show([phase("b", { tasks_available: false }), phase("a")]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/a");
});
