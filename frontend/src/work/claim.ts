import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { client, dataOf, isAway } from "@/api/client";
import { reading } from "@/api/reading";
import type { Assignment, Claim } from "@/api/types";
import { sessionQuery } from "@/shared/session/session";
import type { LoadPart } from "@/shared/trace/rest";
import { keptTasks } from "./sending/record";
import { draftsSettled } from "./sending/sender";

const AHEAD = [1, 2] as const;
const ONCE = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false } as const;

async function claimFrom(phase: string, ahead: number): Promise<Claim> {
  await draftsSettled();
  return dataOf(
    client.POST("/api/phases/{phase_id}/claim/", { params: { path: { phase_id: phase } }, body: { ahead } }),
  );
}

/** Returns the tasks kept in this browser if the server is away; throws `error` if it is not, or if none were kept. */
function orKept(error: unknown, queries: QueryClient, phase: string): Assignment[] {
  const user = queries.getQueryData(sessionQuery.queryKey)?.user?.id ?? "";
  const kept = isAway(error) ? keptTasks(user, phase) : [];
  if (kept.length === 0) throw error;
  return kept;
}

async function claimAhead(phase: string): Promise<Assignment[]> {
  const tasks: Assignment[] = [];
  for (const ahead of AHEAD) {
    const { assignment } = await claimFrom(phase, ahead);
    if (assignment === null) break;
    tasks.push(assignment);
  }
  return tasks;
}

/** Claims the task in hand, the same one until it is submitted or given back. `null`: the sender's answer will tell. */
export function claimQuery(phase: string) {
  return queryOptions({
    ...ONCE,
    queryKey: ["claim", phase],
    queryFn: ({ client: queries }): Promise<Claim | null> =>
      claimFrom(phase, 0).catch((error: unknown): Claim => {
        const [assignment = null] = orKept(error, queries, phase);
        return { assignment, reason: "" };
      }),
    refetchOnReconnect: ({ state }) => state.status === "error",
  });
}

/** The tasks after the one in hand, fetched while that is on the screen. `kept`: this browser's, to begin with. */
export function aheadQuery(phase: string, inHand: string, kept?: () => Assignment[] | undefined) {
  return queryOptions({
    ...ONCE,
    queryKey: ["ahead", phase, inHand],
    queryFn: ({ client: queries }): Promise<Assignment[]> =>
      claimAhead(phase)
        .catch((error: unknown) => orKept(error, queries, phase))
        .then((tasks) => tasks.filter(({ id }) => id !== inHand)),
    initialData: kept,
    initialDataUpdatedAt: 0,
    staleTime: ({ state }) => (state.dataUpdatedAt === 0 ? 0 : Infinity),
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

/** Returns the loader of the rest of long texts, for an annotator's own task. */
export function loadPartOf(id: string): LoadPart {
  return (step, part, start) =>
    dataOf(client.GET("/api/assignments/{id}/part/", { params: { path: { id }, query: { step, part, start } } }));
}
