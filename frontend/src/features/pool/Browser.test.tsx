import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
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
const POOL = { sources: [], generators: [] };

/** Opens a pool of `parts` parts, of which only the last has a solution. Returns the searches sent. */
function show(address: string, parts: number): () => URLSearchParams[] {
  const path = "/api/pool/solutions/";
  const asked = serve(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname !== path) return pathname === "/api/pool/" ? POOL : undefined;
    const part = Number(searchParams.get("cursor") ?? 1);
    return {
      results: part === parts ? [FOUND] : [],
      next: part < parts ? String(part + 1) : "",
      looked_at: 20_000,
    };
  });
  open(address, <Browser />);
  return () => asked.map(({ url }) => new URL(url)).flatMap((url) => (url.pathname === path ? url.searchParams : []));
}

it("looks on by itself until something is found", async () => {
  const asked = show("/pool?verdict=wrong", 4);
  const link = await screen.findByRole("link", { name: FOUND.statement });
  expect(link.getAttribute("href")).toBe("/pool/s1?verdict=wrong");
  expect(asked().map((query) => query.get("cursor"))).toEqual([null, "2", "3", "4"]);
  expect(new Set(asked().map((query) => query.get("verdict")))).toEqual(new Set(["wrong"]));
});

it("stops looking when told to, and goes on when told to", async () => {
  const asked = show("/pool", Infinity);
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
  await screen.findByRole("button", { name: "Keep looking" });
  const before = asked().length;
  await userEvent.click(screen.getByRole("button", { name: "Keep looking" }));
  await waitFor(() => expect(asked().length).toBeGreaterThan(before));
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
});

it("says so where nothing matches", async () => {
  show("/pool?search=nothing", 0);
  await screen.findByText("No matches.");
});

it("keeps what it is narrowed by in the address", async () => {
  const asked = show("/pool", 1);
  await screen.findByRole("link", { name: FOUND.statement });
  await userEvent.type(screen.getByLabelText("Search"), "two");
  await userEvent.selectOptions(screen.getByLabelText("Verdict"), "right");
  expect(window.location.search).toBe("?search=two&verdict=right");
  await waitFor(() => expect(asked().at(-1)?.get("search")).toBe("two"));
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(window.location.search).toBe("");
});
