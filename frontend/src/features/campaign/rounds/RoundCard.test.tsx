import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Round } from "@/api/types";
import { open } from "@/shared/page/staffPage.fixture";
import { RoundCard } from "./RoundCard";

const ROUND = { id: "r", number: 2, task_count: 5, requested: 20, opened_at: "2026-11-01T10:00:00Z" } as Round;

it.each([
  ["publishing", false],
  ["open", true],
] as const)("says of a round that is %s when it was opened: %s", (status, isSaid) => {
  open("/phases/p/rounds", <RoundCard round={{ ...ROUND, status }} overlap={1} />);
  const card = screen.getByRole("article", { name: "Round 2" });
  expect(card.textContent).toContain("5 tasks");
  expect(card.textContent.includes("Opened")).toBe(isSaid);
});
