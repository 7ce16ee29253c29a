import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { client, dataOf, isAway } from "@/api/client";
import { reading } from "@/api/reading";
import type { Claim } from "@/api/types";
import { sessionQuery } from "@/shared/session";
import { draftsSettled } from "./draftSaver";
import { keptTasks } from "./keptTasks";

const ONCE = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false } as const;

async function claimFrom(phase: string, ahead: boolean): Promise<Claim> {
  await draftsSettled();
  return dataOf(
    client.POST("/api/phases/{phase_id}/claim/", { params: { path: { phase_id: phase } }, body: { ahead } }),
  );
}

/** Without the network, the task that was kept here. */
function orKept(error: unknown, queries: QueryClient, phase: string, place: number): Claim {
  const user = queries.getQueryData(sessionQuery.queryKey)?.user?.id ?? "";
  const assignment = isAway(error) && keptTasks(user, phase)[place];
  if (assignment) return { assignment, reason: "" };
  throw error;
}

/** The task in hand: claiming again gives the same one, until it is submitted or given back. `null`: the outbox will tell. */
export function claimQuery(phase: string) {
  return queryOptions({
    ...ONCE,
    queryKey: ["claim", phase],
    queryFn: ({ client: queries }): Promise<Claim | null> =>
      claimFrom(phase, false).catch((error: unknown) => orKept(error, queries, phase, 0)),
    refetchOnReconnect: ({ state }) => state.status === "error",
  });
}

/** The task after the one in hand, fetched while that one is on the screen. */
export function aheadQuery(phase: string, inHand: string) {
  return queryOptions({
    ...ONCE,
    queryKey: ["ahead", phase, inHand],
    queryFn: ({ client: queries }) =>
      claimFrom(phase, true).catch((error: unknown) => orKept(error, queries, phase, 1)),
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
