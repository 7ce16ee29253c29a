import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { Claim } from "@/api/types";
import { draftsSettled } from "./draftSaver";

const ONCE = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false } as const;

async function claimFrom(phase: string, ahead: boolean): Promise<Claim> {
  await draftsSettled();
  return dataOf(
    client.POST("/api/phases/{phase_id}/claim/", { params: { path: { phase_id: phase } }, body: { ahead } }),
  );
}

/** The task in hand: claiming again gives the same one, until it is submitted or given back. `null`: the outbox will tell. */
export function claimQuery(phase: string) {
  return queryOptions({
    ...ONCE,
    queryKey: ["claim", phase],
    queryFn: (): Promise<Claim | null> => claimFrom(phase, false),
    refetchOnReconnect: ({ state }) => state.status === "error",
  });
}

/** The task after the one in hand, fetched while that one is on the screen. */
export function aheadQuery(phase: string, inHand: string) {
  return queryOptions({
    ...ONCE,
    queryKey: ["ahead", phase, inHand],
    queryFn: () => claimFrom(phase, true),
    refetchOnReconnect: ({ state }) => state.status === "error",
  });
}

/** One of the annotator's own assignments, submitted or not, as the server has it now. */
export function assignmentQuery(id: string) {
  return queryOptions({ ...reading("/api/assignments/{id}/", { path: { id } }), ...ONCE });
}

/** The annotator's own last submissions, any of which may be revised. */
export function recentQuery(phase: string) {
  return queryOptions({ ...reading("/api/phases/{phase_id}/recent/", { path: { phase_id: phase } }), staleTime: 0 });
}
