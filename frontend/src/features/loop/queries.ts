import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { Run } from "@/api/types";

export type RunKind = "training-runs" | "scoring-runs" | "selections" | "publications";

const WATCHING_MS = 1500;
const RESTING_MS = 10_000;

export function isActive(run: Pick<Run, "status">): boolean {
  return run.status === "queued" || run.status === "running";
}

/** Often while something runs, so that the page is live; seldom otherwise. */
function pace(runs: Pick<Run, "status">[] | undefined): number {
  return runs?.some(isActive) ? WATCHING_MS : RESTING_MS;
}

export const trainingRunsQuery = queryOptions({
  queryKey: ["training-runs"],
  queryFn: () => dataOf(client.GET("/api/training-runs/")),
  refetchInterval: ({ state }) => pace(state.data?.results),
});

export const scoringRunsQuery = queryOptions({
  queryKey: ["scoring-runs"],
  queryFn: () => dataOf(client.GET("/api/scoring-runs/")),
  refetchInterval: ({ state }) => pace(state.data?.results),
});

export const selectionsQuery = queryOptions({
  queryKey: ["selections"],
  queryFn: () => dataOf(client.GET("/api/selections/")),
  refetchInterval: ({ state }) => pace(state.data?.results),
});

export const publicationsQuery = queryOptions({
  queryKey: ["publications"],
  queryFn: () => dataOf(client.GET("/api/publications/")),
  refetchInterval: ({ state }) => pace(state.data?.results),
});

export const rewardModelsQuery = queryOptions({
  queryKey: ["reward-models"],
  queryFn: () => dataOf(client.GET("/api/reward-models/")),
});

/** A mutation after which everything on the page is asked again: a job of one stage is news to the next. */
export function useAct<Variables = void>(act: (variables: Variables) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => queries.invalidateQueries() });
}

const cancels = {
  "training-runs": (id: string) => client.POST("/api/training-runs/{id}/cancel/", { params: { path: { id } } }),
  "scoring-runs": (id: string) => client.POST("/api/scoring-runs/{id}/cancel/", { params: { path: { id } } }),
  selections: (id: string) => client.POST("/api/selections/{id}/cancel/", { params: { path: { id } } }),
  publications: (id: string) => client.POST("/api/publications/{id}/cancel/", { params: { path: { id } } }),
};

const retries = {
  "training-runs": (id: string) => client.POST("/api/training-runs/{id}/retry/", { params: { path: { id } } }),
  "scoring-runs": (id: string) => client.POST("/api/scoring-runs/{id}/retry/", { params: { path: { id } } }),
  selections: (id: string) => client.POST("/api/selections/{id}/retry/", { params: { path: { id } } }),
  publications: (id: string) => client.POST("/api/publications/{id}/retry/", { params: { path: { id } } }),
};

export function useCancel(kind: RunKind, id: string) {
  return useAct(() => cancels[kind](id));
}

export function useRetry(kind: RunKind, id: string) {
  return useAct(() => retries[kind](id));
}
