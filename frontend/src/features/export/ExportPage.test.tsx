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
