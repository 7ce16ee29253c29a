import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { says } from "../strings";
import { GoldEditor } from "./GoldEditor";

const STORED = {
  id: "gold-1",
  solution: "solution-1",
  ratings: [1, -1],
  rationale: "It is 5.",
  gold_set: "entry",
  version: 1,
  author: "alma",
  created_at: "2026-03-02T12:00:00Z",
};

it("takes what is stored out of service, whatever has been rated since", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") sent.push(await request.json());
    return new Response(JSON.stringify({ results: [STORED], next: null }), {
      headers: { "Content-Type": "application/json" },
    });
  });
  const rated = { solution: "solution-1", statement: "What is 2 + 3?", steps: ["Add.", "That is 6.", "6."] };
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <GoldEditor rated={rated} set="gold" onDone={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const second = await screen.findByRole("group", { name: says.gold.rate(2) });
  await userEvent.click(second.querySelector("[data-rating=great]") ?? document.body);
  expect(screen.getByText(says.gold.incomplete)).not.toBeNull();
  expect(screen.getByRole("button", { name: says.gold.correct }).hasAttribute("disabled")).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: says.gold.takeOut }));
  for (const button of screen.getAllByRole("button", { name: says.gold.takeOut })) await userEvent.click(button);
  await waitFor(() => {
    expect(sent).toEqual([{ solution: "solution-1", ratings: [1, -1], rationale: "It is 5.", gold_set: "" }]);
  });
});
