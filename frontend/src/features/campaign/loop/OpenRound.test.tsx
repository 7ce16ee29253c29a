import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Round } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
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

it("says which round is open and how far it is", () => {
  open("/phases", <OpenRound round={HALF} />);
  expect(screen.getByRole("alert").textContent).toContain("Round 1 is open. 12 of 60 labelled, 2 in hand.");
});

it("closes early only after saying what is lost", async () => {
  const asked = serve();
  open("/phases", <CloseRound round={HALF} />);
  await userEvent.click(screen.getByRole("button", { name: "Close early" }));
  expect(asked).toEqual([]);
  expect(screen.getByRole("group").textContent).toContain("2 tasks are in hand and can no longer be submitted");
  await userEvent.click(screen.getByRole("button", { name: "Close early" }));
  expect(asked).toHaveLength(1);
});

it("closes a full round at once", async () => {
  const asked = serve();
  open("/phases", <CloseRound round={FULL} />);
  await userEvent.click(screen.getByRole("button", { name: "Close round 1" }));
  expect(asked).toHaveLength(1);
});
