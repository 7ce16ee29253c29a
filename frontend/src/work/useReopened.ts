import { useLocation, useSearch } from "wouter";

const PARAM = "again";

/** The page of a phase with one of one's own assignments opened again: a revision, or one that the server did not take. */
export function reopenAddress(phase: string, assignment: string): string {
  return `/label/${phase}?${PARAM}=${assignment}`;
}

/** Which assignment is opened again, by the page's address, and the way back to the task in hand. */
export function useReopened(phase: string): [string | null, () => void] {
  const [, navigate] = useLocation();
  const id = new URLSearchParams(useSearch()).get(PARAM);
  return [id, () => navigate(`/label/${phase}`, { replace: true })];
}
