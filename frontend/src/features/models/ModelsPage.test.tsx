import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import ModelsPage from "./ModelsPage";

const MODEL = {
  id: "b",
  name: "second",
  phase: "p",
  phase_name: "Sums",
  supervision: "process",
  base: "",
  labels: 9,
  metrics: {},
  created_at: "2026-03-02T09:00:00Z",
};
// Rolling back leaves such a row, too, so the row does not tell whether there is anything to roll back to.
const CHANGE = { at: "2026-03-02T09:00:00Z", reward_model: "b", name: "second", previous: "c", is_rollback: true };

async function show(rolls_back_to: string | null): Promise<void> {
  const list = (row: object) => ({ count: 1, next: null, previous: null, results: [row] });
  serve({
    "/api/promotions/": list(CHANGE),
    "/api/phases/": list({ id: "p", name: "Sums" }),
    "/api/reward-models/": list({ ...MODEL, current_in: [{ phase: "p", phase_name: "Sums", rolls_back_to }] }),
  });
  open("/models", <ModelsPage />);
  await screen.findByText("Current");
  await screen.findByText("rolled back");
}

it("offers to roll back, and names the model", async () => {
  await show("first");
  await userEvent.click(screen.getByRole("button", { name: "Roll back" }));
  screen.getByText("“first”, which was current before, becomes the current model of “Sums” again.");
});

it("does not offer to roll back where there is nothing to roll back to", async () => {
  await show(null);
  expect(screen.queryByRole("button", { name: "Roll back" })).toBeNull();
});
