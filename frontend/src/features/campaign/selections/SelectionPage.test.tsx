import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import SelectionPage from "./SelectionPage";

const RUN = { stage: "", done: 0, total: 0, error: "", phase: "p1", expected_at: null, cancel_requested_at: null };
const ROUND = { number: 3, phase: "p1" };

function publishedAs(run: object): void {
  const selection = {
    ...{ ...RUN, id: "s1", kind: "select", status: "done", summary: {}, publication: "b1", policy: "uniform" },
    ...{ phase_name: "Algebra", reward_model_name: "", seed: 0, discarded_at: null },
  };
  serve({
    "/api/runs/s1/": { details: selection },
    "/api/runs/b1/": { details: { ...RUN, id: "b1", kind: "publish", round: ROUND, ...run } },
  });
  open("/selections/s1", <SelectionPage id="s1" />);
}

it("names the round once it is open", async () => {
  publishedAs({ status: "done" });
  expect(await screen.findByText(/Published as round 3/)).toBeDefined();
});

it.each([
  ["running", "Cancel"],
  ["failed", "Try again"],
  ["cancelled", "Try again"],
])("calls nothing published while its tasks are being added: %s", async (status, act) => {
  publishedAs({ status, stage: "adding tasks", done: 1000, total: 4000, error: "" });
  expect(await screen.findByRole("button", { name: act })).toBeDefined();
  expect(screen.queryByText(/Published/)).toBeNull();
});
