import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { Browser } from "./Browser";

const FOUND = {
  id: "s1",
  statement: "What is 2 + 3?",
  answer: "5",
  verdict: "wrong",
  generator: "a prover",
  source: "demo",
  score: null,
  labellings: 1,
  draws: 1,
};
let asked: URLSearchParams[] = [];
configure({ asyncUtilTimeout: 10_000 });

/** A pool of so many parts, of which the last has a solution. */
function serve(parts: number): void {
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url);
    const answer = (body: object) =>
      Promise.resolve(new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } }));
    if (pathname !== "/api/pool/solutions/")
      return answer({ count: 0, next: null, previous: null, results: [], sources: [], generators: [] });
    asked.push(searchParams);
    const part = Number(searchParams.get("cursor") ?? 1);
    return answer({
      results: part === parts ? [FOUND] : [],
      next: part < parts ? String(part + 1) : "",
      looked_at: 20_000,
    });
  });
}

function open(address: string): void {
  window.history.replaceState(null, "", address);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Browser />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

beforeEach(() => {
  asked = [];
});

it("looks on by itself until something is found", async () => {
  serve(4);
  open("/pool?verdict=wrong");
  const link = await screen.findByRole("link", { name: FOUND.statement });
  expect(link.getAttribute("href")).toBe("/pool/s1?verdict=wrong");
  expect(asked.map((query) => query.get("cursor"))).toEqual([null, "2", "3", "4"]);
  expect(new Set(asked.map((query) => query.get("verdict")))).toEqual(new Set(["wrong"]));
});

it("stops looking when told to, and goes on when told to", async () => {
  serve(Infinity);
  open("/pool");
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
  await screen.findByRole("button", { name: "Keep looking" });
  const before = asked.length;
  await userEvent.click(screen.getByRole("button", { name: "Keep looking" }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
});

it("says so where nothing matches", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify({ results: [], next: "", looked_at: 20_000, sources: [], generators: [] }), {
        headers: { "Content-Type": "application/json" },
      }),
    ),
  );
  open("/pool?search=nothing");
  await screen.findByText("No matches.");
});

it("keeps what it is narrowed by in the address", async () => {
  serve(1);
  open("/pool");
  await screen.findByRole("link", { name: FOUND.statement });
  await userEvent.type(screen.getByLabelText("Search"), "two");
  await userEvent.selectOptions(screen.getByLabelText("Verdict"), "right");
  expect(window.location.search).toBe("?search=two&verdict=right");
  await waitFor(() => expect(asked.at(-1)?.get("search")).toBe("two"));
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(window.location.search).toBe("");
});
