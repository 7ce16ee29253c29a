import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { usePrms } from "@/shared/forms/choices";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { useSuitedPolicy } from "./RoundFields";

function Suited() {
  const suited = useSuitedPolicy("phase-1");
  return <p>{`${usePrms().length} model: ${suited}`}</p>;
}

it.each([
  ["phase-1", "convincing"],
  ["phase-2", "uniform"],
])("picks the default policy if the only model is current in %s: %s", async (phase, policy) => {
  const results = [{ id: "model-1", supervision: "process", current_in: [{ phase }] }];
  serve({ "/api/reward-models/": { count: 1, next: null, previous: null, results } });
  open("/phases/phase-1/selections", <Suited />);
  expect(await screen.findByText(`1 model: ${policy}`)).toBeDefined();
});
