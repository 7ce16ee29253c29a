import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { client, dataOf, ProblemError } from "@/api/client";
import { askWhoIsThere, sessionQuery, useUser } from "@/shared/session/session";
import { createSender, type Sender, type SenderState } from "./sender";

const TIMEOUT_MS = 60_000;
const senders = new Map<string, Sender>();

/** Resolves to false if a refusal may be due to another person's session, or none: the work then waits. */
async function isFinalFor(user: string, queries: QueryClient, error: Error): Promise<boolean> {
  if (!(error instanceof ProblemError) || ![401, 403, 404].includes(error.status)) return true;
  const session = await queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
  return session?.user?.id === user;
}

function senderOf(user: string, queries: QueryClient): Sender {
  const asking = (error: unknown) => {
    askWhoIsThere(queries, error);
    throw error;
  };
  const sender =
    senders.get(user) ??
    createSender({
      user,
      isFinal: (error) => isFinalFor(user, queries, error),
      save(id, body, keepalive) {
        const request = { params: { path: { id } }, body, keepalive };
        return client.PUT("/api/assignments/{id}/draft/", request).catch(asking);
      },
      submit(id, body) {
        const request = { params: { path: { id } }, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
        return dataOf(client.POST("/api/assignments/{id}/submit/", request)).catch(asking);
      },
    });
  senders.set(user, sender);
  return sender;
}

/** The signed-in person's sender. It sends while `SenderNotice` is on the page. */
export function useSender(): Sender {
  const user = useUser();
  const queries = useQueryClient();
  const [sender] = useState(() => senderOf(user.id, queries));
  return sender;
}

/** The things that it has to send, as they change. */
export function useSenderState(sender: Sender): SenderState {
  return useSyncExternalStore(sender.subscribe, sender.state);
}
