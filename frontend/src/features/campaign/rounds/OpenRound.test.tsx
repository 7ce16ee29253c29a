import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { expect, it, vi } from "vitest";
import type { Round } from "@/api/types";
import { CloseRound, OpenRound } from "./OpenRound";

const HALF = {
  id: "round-1",
  number: 1,
  status: "open",
  labellings_done: 12,
  labellings_wanted: 60,
  in_hand: 2,
  left: 46,
} as Round;
const FULL = { ...HALF, labellings_done: 60, in_hand: 0, left: 0 };

function shown(element: ReactElement) {
  const fetched = vi.fn(() => Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } })));
  vi.stubGlobal("fetch", fetched);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>{element}</QueryClientProvider>
    </MantineProvider>,
  );
  return fetched;
}

it("says which round is open and how far it is", () => {
  shown(<OpenRound round={HALF} />);
  expect(screen.getByRole("alert").textContent).toContain("Round 1 is open. 12 of 60 labelled, 2 in hand.");
});

it("closes early only after saying what is lost", async () => {
  const fetched = shown(<CloseRound round={HALF} />);
  await userEvent.click(screen.getByRole("button", { name: "Close early" }));
  expect(fetched).not.toHaveBeenCalled();
  expect(screen.getByRole("group").textContent).toContain("2 tasks are in hand and can no longer be submitted");
  await userEvent.click(screen.getByRole("button", { name: "Close early" }));
  expect(fetched).toHaveBeenCalledOnce();
});

it("closes a full round at once", async () => {
  const fetched = shown(<CloseRound round={FULL} />);
  await userEvent.click(screen.getByRole("button", { name: "Close round 1" }));
  expect(fetched).toHaveBeenCalledOnce();
});
