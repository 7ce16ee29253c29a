import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { client, dataOf, isAway, ProblemError } from "@/api/client";
import { reading } from "@/api/reading";
import type { Session, User } from "@/api/types";
import { keepOnlyHere } from "./keeping";
import { strings } from "@/shared/words/strings";

/** The key of the last session, for a page that is opened without the network. */
const KEPT = "stepmark.person";

/** Keeps the session in this browser, unless the computer is shared. `undefined`: unknown, so the old one stays. */
export function keepSession(session: Session | undefined): void {
  if (session === undefined) return;
  localStorage.removeItem(KEPT);
  try {
    if (session.user && !session.is_shared) localStorage.setItem(KEPT, JSON.stringify(session));
  } catch {
    // No room: a page that is opened without the network cannot be shown then.
  }
}

async function readSession(isFirst: boolean): Promise<Session> {
  try {
    const session = await dataOf(client.GET("/api/session/"));
    if (session.user) keepOnlyHere(session.is_shared); // once a session has ended, its work stays where it was kept
    return session;
  } catch (error) {
    const kept = isFirst && isAway(error) ? localStorage.getItem(KEPT) : null;
    if (kept === null) throw error;
    return JSON.parse(kept) as Session;
  }
}

export const sessionQuery = queryOptions({
  queryKey: reading("/api/session/").queryKey,
  queryFn: ({ client: queries, queryKey }) => readSession(queries.getQueryData(queryKey) === undefined),
  staleTime: Infinity,
});

/** Filled in by the sign-in gate (SignInGate.tsx). */
export const Person = createContext<User | null>(null);

/** The signed-in person. Only behind the sign-in gate. */
export function useUser(): User {
  const user = useContext(Person);
  if (!user) throw new Error("useUser needs somebody signed in");
  return user;
}

const FRESH_MS = 10_000;

/** The signed-in person, not older than 10 s, where it matters that they may have been added to a phase since. */
export function useFreshUser(): User {
  useQuery({ ...sessionQuery, staleTime: FRESH_MS });
  return useUser();
}

export function roleName({ role, is_superuser }: Pick<User, "role" | "is_superuser">): string {
  return is_superuser ? strings.nav.superuser : strings.nav.roles[role];
}

export function isStaff(user: User): boolean {
  return user.is_admin || user.is_ml_staff;
}

/** True if the navigation has more than the person's own work: for staff, and the experts of a phase. */
export function hasStaffPages(user: User): boolean {
  return isStaff(user) || user.is_expert;
}

/** True if the person's role counts in the phase: ML staff's only in their own phases. `null`: no phase's. */
export function actsIn({ phases_run }: User, phase: string | null): boolean {
  return phase === null || phases_run === null || phases_run.includes(phase);
}

/** True if the user may train, score and promote; admins look on. */
export function canRunJobs(user: User, phase: string | null = null): boolean {
  return user.is_ml_staff && actsIn(user, phase);
}

/** Fetches the session again after a 401, so that the sign-in page appears. */
export function askWhoIsThere(queries: QueryClient, error: unknown): void {
  if (!(error instanceof ProblemError) || error.status !== 401) return;
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
