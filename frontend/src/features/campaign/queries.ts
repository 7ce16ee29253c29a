import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";

const ALL = 500;

/** A phase with all its settings. */
export const settingsQuery = (phase: string) => queryOptions({
  queryKey: ["settings", phase],
  queryFn: () => dataOf(client.GET("/api/phases/{phase_id}/settings/", { params: { path: { phase_id: phase } } })),
});

/** The newest first. Progress is worth a look every few seconds. */
export const roundsQuery = (phase: string) => queryOptions({
  queryKey: ["rounds", phase],
  queryFn: async () => (await dataOf(client.GET("/api/rounds/", { params: { query: { phase, page_size: ALL } } }))).results,
  refetchInterval: 5_000,
});

export const openRoundsQuery = queryOptions({
  queryKey: ["rounds", "open"],
  queryFn: async () => (await dataOf(client.GET("/api/rounds/", { params: { query: { status: "open", page_size: ALL } } }))).results,
  refetchInterval: 10_000,
});

export const membersQuery = (phase: string) => queryOptions({
  queryKey: ["members", phase],
  queryFn: async () => (await dataOf(client.GET("/api/phases/{phase_id}/members/", { params: { path: { phase_id: phase }, query: { page_size: ALL } } }))).results,
});

export const goldSetsQuery = queryOptions({
  queryKey: ["gold", "sets"],
  queryFn: () => dataOf(client.GET("/api/gold/sets/")),
});
