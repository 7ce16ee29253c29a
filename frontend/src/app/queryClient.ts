import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { isAway, isUnreachable, ProblemError } from "@/api/client";
import { sessionQuery } from "@/shared/session/session";

/** A refusal may mean that the session has ended: ask. The sign-in page appears when it has. */
function onError(error: Error): void {
  if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}

/** A server that says itself that it is away is not asked again at once: the page says so, and asks later. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (!(error instanceof ProblemError)) return false;
  return failures < 2 && (isUnreachable(error) || (error.status >= 500 && error.status !== 503));
}

const AGAIN_MS = 5_000;

/** Returns after how many ms to read again what could not be read while the server was away: it needs nobody’s doing. */
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
