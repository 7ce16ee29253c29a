import { notifyManager, queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ProblemError } from "@/api/client";
import { reading } from "@/api/reading";
import type { Run, User } from "@/api/types";

export const sessionQuery = queryOptions({ ...reading("/api/session/"), staleTime: Infinity });

/** Who is signed in, as the sign-in gate found it. Not `useQuery`, which costs ten times as much on every drawing, and a
 * labelling screen has many that read it. */
export function useSignedIn(): User | null | undefined {
  const queries = useQueryClient();
  // Told together with the queries, so that the sign-in gate closes before who is behind it looks again.
  const subscribe = useCallback((listen: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(listen)), [queries]);
  return useSyncExternalStore(subscribe, () => queries.getQueryData(sessionQuery.queryKey)?.user);
}

let last: User | null | undefined;

/** This person, or who has just gone: the gate is about to close, and something behind it may be drawn for the first time. */
function lastSeen(now: User | null | undefined): User | null | undefined {
  last = now ?? last;
  return last;
}

/** The signed-in person. Only below the sign-in gate. */
export function useUser(): User {
  const user = lastSeen(useSignedIn());
  if (!user) throw new Error("useUser needs somebody signed in");
  return user;
}

export function isStaff(user: User): boolean {
  return user.is_admin || user.is_ml_staff;
}

/** Whose navigation has more than their own work: staff, and the experts of a phase. */
export function hasStaffPages(user: User): boolean {
  return isStaff(user) || user.is_expert;
}

/** Trains, scores, promotes; admins look on. */
export function canRunJobs(user: User): boolean {
  return user.is_ml_staff;
}

/** Whether such a job is theirs to start, and so to cancel and to try again: admins bring files in and open rounds, too. */
export function mayStart(user: User, kind: Run["kind"]): boolean {
  return user.is_ml_staff || (user.is_admin && (kind === "import" || kind === "select" || kind === "publish"));
}

/** After a refusal that says that nobody is signed in any more: the sign-in page appears. */
export function askWhoIsThere(queries: QueryClient, error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== "not_authenticated") return;
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
