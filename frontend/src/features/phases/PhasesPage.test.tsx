import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { Phase, User } from "@/api/types";
import { phasesQuery } from "@/shared/phases";
import { sessionQuery } from "@/shared/session";
import { SignInGate } from "@/shared/SignInGate";
import { keepLastPhase } from "@/work/phases";
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

function show(phases: Phase[]): string[] {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  queries.setQueryData(sessionQuery.queryKey, { user: { id: "ada" } as User });
  queries.setQueryData(phasesQuery.queryKey, phases);
  render(
    <QueryClientProvider client={queries}>
      <SignInGate>
        <PhasesPage />
      </SignInGate>
    </QueryClientProvider>,
  );
  return screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
}

beforeEach(() => localStorage.clear());

it("begins with the phase that this person worked in last, here", () => {
  keepLastPhase("ada", "b");
  keepLastPhase("bob", "c");
  expect(show([phase("a"), phase("b"), phase("c")])).toEqual(["Phase b", "Phase a", "Phase c"]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/b");
});

it("starts another one where nothing is left in that", () => {
  keepLastPhase("ada", "b");
  show([phase("a"), phase("b", { tasks_available: false })]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/a");
});
