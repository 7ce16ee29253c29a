import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { draftsSettled } from "./draftSaver";

/** The task in hand: claiming again gives the same one, with its draft, until it is submitted or given back. */
export function claimQuery(phase: string) {
  return queryOptions({
    queryKey: ["claim", phase],
    queryFn: async () => {
      await draftsSettled();
      return dataOf(client.POST("/api/phases/{phase_id}/claim/", { params: { path: { phase_id: phase } } }));
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
