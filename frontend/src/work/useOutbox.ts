import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { client, dataOf, ProblemError } from "@/api/client";
import { askWhoIsThere, sessionQuery, useUser } from "@/shared/session";
import { createOutbox, type Outbox, type OutboxState } from "./outbox";

const TIMEOUT_MS = 60_000;
const outboxes = new Map<string, Outbox>();

/** A refusal that may mean that somebody else is signed in, or nobody: then the submission waits for its author. */
async function isFinalFor(user: string, queries: QueryClient, error: Error): Promise<boolean> {
  if (!(error instanceof ProblemError) || ![401, 403, 404].includes(error.status)) return true;
  const session = await queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
  return session?.user?.id === user;
}

function outboxOf(user: string, queries: QueryClient): Outbox {
  const outbox =
    outboxes.get(user) ??
    createOutbox({
      prefix: `stepmark.outbox.${user}.`,
      isFinal: (error) => isFinalFor(user, queries, error),
      send: ({ assignment, body }) =>
        dataOf(
          client.POST("/api/assignments/{id}/submit/", {
            params: { path: { id: assignment } },
            body,
            signal: AbortSignal.timeout(TIMEOUT_MS),
          }),
        ).catch((error: unknown) => {
          askWhoIsThere(queries, error);
          throw error;
        }),
    });
  outboxes.set(user, outbox);
  return outbox;
}

/** The signed-in person's outbox. It sends while anything on the page uses it. */
export function useOutbox(): Outbox {
  const user = useUser();
  const queries = useQueryClient();
  const [outbox] = useState(() => outboxOf(user.id, queries));
  useEffect(() => outbox.start(), [outbox]);
  return outbox;
}

/** What is in it, as it changes. */
export function useOutboxState(outbox: Outbox): OutboxState {
  return useSyncExternalStore(outbox.subscribe, outbox.state);
}
