import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { isAway, isUnreachable, ProblemError } from "@/api/client";
import { sessionQuery } from "@/shared/session/session";

/** Re-reads the session after a 401 or 403: if it has ended, the sign-in page appears. */
function onError(error: Error): void {
  if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}

/** True for the first two failures by an unreachable or failing server; not for a 503, which `againIfAway` retries later. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (!(error instanceof ProblemError)) return false;
  return failures < 2 && (isUnreachable(error) || (error.status >= 500 && error.status !== 503));
}

const AGAIN_MS = 5_000;

/** Returns the ms until a query that failed because the server was away is retried, or false. */
function againIfAway({ state: { error } }: Pick<Query, "state">): number | false {
  if (!isAway(error)) return false;
  return Math.max(AGAIN_MS, error.retryAfterMs);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // Requests go out offline too: they fail at once, and the page says so instead of waiting in silence.
  defaultOptions: {
    queries: { staleTime: 5_000, retry: isWorthRetrying, refetchInterval: againIfAway, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});
