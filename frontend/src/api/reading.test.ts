import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { readingAll } from "./reading";

it("reads every page of a list, in order", async () => {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((request) => {
    const { search } = new URL((request as Request).url);
    asked.push(search);
    const page = asked.length;
    return Promise.resolve(Response.json({ results: [{ id: page }], next: page < 3 ? "more" : null }));
  });
  const rows = await new QueryClient().query(readingAll("/api/rounds/", { query: { phase: "p" } }));
  expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(asked).toEqual([1, 2, 3].map((page) => `?phase=p&page=${page}&page_size=500`));
});
