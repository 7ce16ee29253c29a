import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { User } from "@/api/types";
import { Person } from "@/shared/session/session";
import ModelsPage from "./ModelsPage";

const MODEL = {
  id: "b",
  name: "second",
  phase: "p",
  phase_name: "Sums",
  supervision: "process",
  base: "",
  labels: 9,
  metrics: {},
  created_at: "2026-03-02T09:00:00Z",
};
// Rolling back leaves such a row, too: it says nothing of what there is to roll back to.
const CHANGE = { at: "2026-03-02T09:00:00Z", reward_model: "b", name: "second", previous: "c", is_rollback: true };

async function open(rollsBackTo: string | null): Promise<void> {
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const results = url.includes("promotions")
      ? [CHANGE]
      : url.includes("phases")
        ? [{ id: "p", name: "Sums" }]
        : [{ ...MODEL, current_in: [{ phase: "p", phase_name: "Sums", rolls_back_to: rollsBackTo }] }];
    return Promise.resolve(
      new Response(JSON.stringify({ count: 1, next: null, previous: null, results }), {
        headers: { "Content-Type": "application/json" },
      }),
    );
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Person value={{ is_ml_staff: true, phases_run: null } as User}>
          <ModelsPage />
        </Person>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText("Current");
  await screen.findByText("rolled back");
}

it("offers to roll back, and names the model", async () => {
  await open("first");
  await userEvent.click(screen.getByRole("button", { name: "Roll back" }));
  screen.getByText("“first”, which was current before, becomes the current model of “Sums” again.");
});

it("does not offer to roll back where there is nothing to roll back to", async () => {
  await open(null);
  expect(screen.queryByRole("button", { name: "Roll back" })).toBeNull();
});
