import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, dataOf } from "@/api/client";
import type { Assignment, Markup, Offer } from "@/api/types";
import { messageOf } from "@/shared/page/Loaded";
import { prerender } from "@/shared/text/renderText";

type Purpose = "step" | "critique";

const POLL_MS = 700;
const SLOWEST_POLL_MS = 2000;

async function ask(id: string, purpose: Purpose, path: string[], again: boolean): Promise<Offer> {
  return dataOf(
    client.POST("/api/assignments/{id}/completions/", { params: { path: { id } }, body: { purpose, path, again } }),
  );
}

/** Returns an offer's query, cached by path, so that one fetched ahead is there at once. Polls while it is pending. */
function offerQuery(id: string, purpose: Purpose, path: readonly string[], again = false) {
  return queryOptions({
    queryKey: ["offer", id, purpose, path],
    queryFn: () => ask(id, purpose, [...path], again),
    gcTime: 30 * 60_000,
    staleTime: ({ state }) => (state.data?.status === "pending" ? 0 : Infinity),
    refetchInterval: ({ state }) =>
      state.error === null &&
      state.data?.status === "pending" &&
      Math.min(POLL_MS * 1.2 ** state.dataUpdateCount, SLOWEST_POLL_MS),
    refetchOnWindowFocus: false,
  });
}

export interface Offered {
  /** `idle`: nobody asked. */
  status: "idle" | Offer["status"];
  completions: Offer["completions"];
  /** Why it failed, in the server's words. */
  detail: string;
  /** Gives a generator that failed another try. */
  again: () => void;
}

const NONE: Offer["completions"] = [];

/** The texts to rate after the steps in `path`: completions, or critiques of its last step. */
export function useOffer(assignmentId: string, purpose: Purpose, path: readonly string[], isEnabled: boolean): Offered {
  const queries = useQueryClient();
  const { data, error, isFetching } = useQuery({ ...offerQuery(assignmentId, purpose, path), enabled: isEnabled });
  const again = () =>
    void queries.query({ ...offerQuery(assignmentId, purpose, path, true), staleTime: 0 }).catch(() => undefined);
  const told = {
    completions: data?.completions ?? NONE,
    detail: error ? messageOf(error) : (data?.detail ?? ""),
    again,
  };
  if (data?.status === "ready") return { ...told, status: "ready" };
  if (isFetching) return { ...told, status: "pending" };
  if (error) return { ...told, status: "failed" };
  return { ...told, status: data?.status ?? (isEnabled ? "pending" : "idle") };
}

/** Fetches an offer ahead, and draws its texts, so that they are there when needed. */
export function prefetchOffer(
  queries: QueryClient,
  assignmentId: string,
  purpose: Purpose,
  path: readonly string[],
  markup: Markup,
): void {
  const draw = ({ completions }: Offer) => completions.forEach(({ text }) => setTimeout(prerender, 0, text, markup));
  queries.query(offerQuery(assignmentId, purpose, path)).then(draw, () => undefined);
}

/** Fetches the first completions of the next task ahead. */
export function useFirstOffer(assignment: Assignment | null | undefined): void {
  const queries = useQueryClient();
  const id = assignment?.phase.kind === "alternatives" ? assignment.id : null;
  const markup = assignment?.solution.markup;
  useEffect(() => {
    if (id !== null && markup) prefetchOffer(queries, id, "step", [], markup);
  }, [queries, id, markup]);
}
