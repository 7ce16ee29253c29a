import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Phase, User } from "@/api/types";
import { phasesQuery } from "@/shared/session/phases";
import { sessionQuery } from "@/shared/session/session";
import { SignInGate } from "@/shared/session/SignInGate";
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

it("keeps the order of the server, where the phase worked in last comes first", () => {
  expect(show([phase("b"), phase("a"), phase("c")])).toEqual(["Phase b", "Phase a", "Phase c"]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/b");
});

it("starts another one where nothing is left in that", () => {
  show([phase("b", { tasks_available: false }), phase("a")]);
  expect(document.activeElement?.getAttribute("href")).toBe("/label/a");
});
