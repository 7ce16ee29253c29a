import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import ExportPage from "./ExportPage";

afterEach(() => vi.unstubAllGlobals());

it("keeps its choices in the address", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ results: [], annotators: [] }, { status: 503 })));
  history.replaceState(null, "", "/export?file_format=trl&include=gold&include=screening");
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider>
        <ExportPage />
      </MantineProvider>
    </QueryClientProvider>,
  );
  const format = screen.getByLabelText("Format");
  expect((format as HTMLSelectElement).value).toBe("trl");
  const asked = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: "Download" }).href).searchParams;
  expect([asked.get("file_format"), asked.getAll("include")]).toEqual(["trl", ["gold", "screening"]]);
  await userEvent.selectOptions(format, "parquet");
  expect(location.search).toBe("?file_format=parquet&include=gold&include=screening");
});

it("says how many records there will be, and what the format can't hold", async () => {
  const found = {
    records: 2,
    looked_at: 5000,
    is_all: false,
    not_held: [{ name: "alternatives", title: "Labels of alternatives beside the path", count: 1200 }],
  };
  vi.stubGlobal("fetch", (request: Request) =>
    Promise.resolve(
      request.url.includes("/api/exports/preview/")
        ? Response.json(found)
        : Response.json({ results: [], annotators: [] }, { status: 503 }),
    ),
  );
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  history.replaceState(null, "", "/export?file_format=trl");
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider>
        <ExportPage />
      </MantineProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(/2 records from the first 5,000 labellings/)).toBeDefined();
  expect(screen.getByText("Labels of alternatives beside the path: 1,200")).toBeDefined();
  expect(screen.getByText(/TRL itself has removed its PRMTrainer/)).toBeDefined();
});
