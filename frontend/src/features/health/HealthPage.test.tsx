import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import HealthPage from "./HealthPage";

const AT = "2026-03-02T12:00:00Z";
const check = (about: string, text: string, is_wrong = false) => ({ about, text, is_wrong });
const WORKER = { name: "host-1", queues: "cpu", started_at: AT, last_seen_at: AT, is_alive: false };

it("says what is wrong, and what to do about it", async () => {
  const checks = [check("database", "PostgreSQL 16 answers."), check("storage", "The disk is full: make room.", true)];
  serve({ "/api/health/": { is_well: false, checks }, "/api/workers/": { is_alive: false, workers: [WORKER] } });
  open("/health", <HealthPage />);
  await screen.findByText(/does not work as it should/);
  const rows = screen.getAllByRole("row").map(({ textContent }) => textContent);
  expect(rows).toContain("DatabaseWorksPostgreSQL 16 answers.");
  expect(rows).toContain("StorageWrongThe disk is full: make room.");
  expect((await screen.findByRole("row", { name: /host-1/ })).textContent).toContain("Silent");
});

it("says that all is well, and that no worker was ever seen", async () => {
  serve({
    "/api/health/": { is_well: true, checks: [check("database", "SQLite 3 answers.")] },
    "/api/workers/": { is_alive: false, workers: [] },
  });
  open("/health", <HealthPage />);
  await screen.findByText("Works");
  await screen.findByText(/No worker has been seen/);
  expect(screen.queryByText(/does not work/)).toBeNull();
});
