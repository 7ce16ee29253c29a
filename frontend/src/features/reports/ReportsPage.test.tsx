import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Report } from "@/api/types";
import ReportsPage from "./ReportsPage";

const REPORT: Report = {
  id: "report-1", annotator: "ada", note: "It should be $-5$.", created_at: "2030-01-01T00:00:00Z", resolved_at: null, resolved_by: null, resolution: "",
  phase: "Algebra", statement: "Solve $x + 6 = 1$.", reference_answer: "5", given_answer: "\\frac{-5}{1}",
};

let reports: Report[];
let refusal: { detail: string } | null;

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method === "GET") {
    const results = reports.filter(({ resolved_at }) => searchParams.get("is_open") !== "true" || resolved_at === null);
    return json({ count: results.length, next: null, previous: null, results });
  }
  if (refusal) return json(refusal, 409);
  expect(pathname).toBe("/api/reports/report-1/resolve/");
  const { resolution } = (await request.json()) as { resolution: string };
  reports = reports.map((report) => ({ ...report, resolution, resolved_at: "2030-01-02T00:00:00Z", resolved_by: "alma" }));
  return json(reports[0]);
}

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<MantineProvider env="test"><QueryClientProvider client={queries}><ReportsPage /></QueryClientProvider></MantineProvider>);
  return userEvent.setup();
}

beforeEach(() => {
  reports = [REPORT];
  refusal = null;
  vi.stubGlobal("fetch", answer);
});

it("shows both answers and resolves with a note", async () => {
  const user = open();
  await screen.findByText("It should be $-5$.");
  expect(document.querySelectorAll("dd .katex")).toHaveLength(1);
  await user.type(screen.getByRole("textbox"), " Corrected to -5. ");
  await user.click(screen.getByRole("button", { name: "Resolve" }));
  await screen.findByText("No report is open. Well done.");
  await user.click(screen.getByRole("button", { name: "All" }));
  await screen.findByText("Corrected to -5.");
  expect(screen.getByText(/Resolved by alma/)).toBeTruthy();
});

it("says when somebody was faster", async () => {
  refusal = { detail: "Somebody has resolved this report already." };
  const user = open();
  await user.type(await screen.findByRole("textbox"), "x");
  await user.click(screen.getByRole("button", { name: "Resolve" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("resolved this report already"));
});
