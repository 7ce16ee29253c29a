import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { User } from "@/api/types";
import { Person } from "@/shared/session";
import { PolicyReplay } from "./PolicyReplay";

async function start(replay_obstacle: string): Promise<HTMLButtonElement> {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ next: null, previous: null, results: [] })));
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Person value={{ is_ml_staff: true } as User}>
          <PolicyReplay model={{ id: "m", replay_obstacle }} />
        </Person>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.findByRole("button", { name: "Compare policies" });
}

it("can be started", async () => {
  expect((await start("")).disabled).toBe(false);
  screen.getByText(
    "Trains a model for each policy at five sizes, twice: it takes about as long as 30 smaller trainings.",
  );
});

it("says beside the button why it can't be", async () => {
  expect((await start("There are no held-out labels to measure on.")).disabled).toBe(true);
  screen.getByText("There are no held-out labels to measure on.");
});
