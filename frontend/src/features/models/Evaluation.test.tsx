import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { EvaluationRun } from "@/api/types";
import { modelsQuery } from "@/shared/models";
import { Evaluation } from "./Evaluation";

it("names the model that was current then", () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queries.setQueryData(modelsQuery.queryKey, [{ id: "1", name: "demo-1" }] as never);
  const run = { baseline: "1", metrics: { held_out: { step_auc: 0.8 } }, baseline_metrics: { held_out: { step_auc: 0.7 } } } as unknown as EvaluationRun;
  render(<MantineProvider env="test"><QueryClientProvider client={queries}><Evaluation run={run} /></QueryClientProvider></MantineProvider>);
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Figure", "This one", "demo-1"]);
});
