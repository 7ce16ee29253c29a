import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearch } from "wouter";
import { isAway } from "@/api/client";
import { messageOf } from "@/shared/page/Loaded";
import { recentQuery } from "./claim";
import { useSender } from "./sending/useSender";

const PARAM = "again";
const OFFLINE = "Going back to your last submission needs the connection.";

/** Returns the address at which an own assignment is opened again: a revision, or one that the server refused. */
export function reopenAddress(phase: string, assignment: string): string {
  return `/label/${phase}?${PARAM}=${assignment}`;
}

/** Returns the id of the assignment that the address opens again, and a function that goes back to the task in hand. */
export function useReopened(phase: string): [string | null, () => void] {
  const [, navigate] = useLocation();
  const id = new URLSearchParams(useSearch()).get(PARAM);
  return [id, () => navigate(`/label/${phase}`, { replace: true })];
}

/** Returns a function that opens the last submission of the open round again, as a revision, or says why it can't. */
export function useReopenLast(phase: string, say: (text: string) => void): () => Promise<void> {
  const queries = useQueryClient();
  const sender = useSender();
  const [, navigate] = useLocation();
  return async () => {
    await sender.settled(phase);
    if (sender.state().trouble !== null) {
      say(OFFLINE);
      return;
    }
    try {
      const rows = await queries.query({ ...recentQuery(phase), staleTime: 0 });
      const last = rows.find(({ assignment }) => assignment !== null)?.assignment;
      if (last) navigate(reopenAddress(phase, last));
      else say("You have no submission in an open round to go back to.");
    } catch (error) {
      say(isAway(error) ? OFFLINE : messageOf(error as Error));
    }
  };
}
