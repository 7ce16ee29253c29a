import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError, UNREACHABLE } from "@/api/client";
import { sessionQuery } from "@/shared/session/session";

/** A refusal may mean that the session has ended: ask. The sign-in page appears when it has. */
function onError(error: Error): void {
  if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}

function isWorthRetrying(failures: number, error: Error): boolean {
  if (!(error instanceof ProblemError)) return false;
  return failures < 2 && (error.status === UNREACHABLE || error.status >= 500);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // Requests go out offline too: they fail at once, and the page says so instead of waiting in silence.
  defaultOptions: {
    queries: { staleTime: 5_000, retry: isWorthRetrying, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});
