import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { client, dataOf, isPassing, ProblemError, serverNow } from "@/api/client";
import type { Assignment, Draft, Submission } from "@/api/types";
import { askWhoIsThere, useUser } from "@/shared/session/session";
import { useNewest } from "@/shared/ui/useNewest";
import { recordOf, startingDraft } from "./sending/record";
import { useActiveTime } from "./useActiveTime";
import { useSender } from "./sending/useSender";

const GONE = [403, 404, 409];

/** Returns what the screen begins with, a draft or the labelling to revise: the same while the screen is shown. */
export function useStart(assignment: Assignment): Draft | null {
  const user = useUser();
  const [start] = useState(() => startingDraft(user.id, assignment));
  return start;
}

/** A lease whose end has just been learned; without an end, there is nothing to renew. */
export function leaseUntil(end: string | null | undefined) {
  const ends = Date.parse(end ?? "");
  const half = (ends - serverNow()) / 2;
  /** True if less than half of the lease is left: time to renew it. */
  return { isHalfOver: () => ends - serverNow() < half };
}

interface Work {
  /** Changes with everything worth saving, and not with time alone. It may lag behind by a frame. */
  mark: string;
  /** Returns the mark without that lag. */
  newestMark: () => string;
  toDraft: (version: number) => Draft;
  /** Called once a second with the active milliseconds since the last call. */
  onSpent: (ms: number) => void;
}

/** The work of every labelling screen on its assignment: it keeps the draft and the lease, counts the time, submits, gives back. */
export function useAssignment(assignment: Assignment, work: Work) {
  const queries = useQueryClient();
  const sender = useSender();
  const [opened] = useState(assignment);
  const [gone, setGone] = useState<Error | null>(null);
  const path = { id: assignment.id };
  const revises = assignment.labelling?.id ?? null;

  const loseIfGone = useNewest((error: Error) => {
    askWhoIsThere(queries, error);
    if (error instanceof ProblemError && GONE.includes(error.status) && !isPassing(error)) setGone(error);
  });

  useKeptDraft(opened, work, loseIfGone);
  const [lease, setLease] = useState(() => leaseUntil(assignment.lease_expires_at));
  const renew = async () => {
    const renewed = await dataOf(client.POST("/api/assignments/{id}/renew/", { params: { path } }));
    setLease(leaseUntil(renewed.lease_expires_at));
  };
  const takeTime = useActiveTime(work.onSpent, () => {
    if (lease.isHalfOver()) renew().catch(loseIfGone);
  });

  const release = useMutation({
    mutationFn: async () => {
      await sender.finish(opened); // the draft is there when the task comes round again
      return client.POST("/api/assignments/{id}/release/", { params: { path } });
    },
    onError: loseIfGone,
  });

  /** Puts the labelling on its way. The page shows the next task at once; the sender says when this one has arrived. */
  const submit = (body: Submission) => {
    const { guidelines_version } = assignment.phase;
    sender.submit(opened, { ...body, guidelines_version, revises, ahead: revises === null });
  };

  return {
    submit,
    takeTime,
    release,
    saveState: useSyncExternalStore(sender.subscribe, () => sender.saveState(opened)),
    isLost: gone !== null,
    lostBecause: gone?.message,
  };
}

/** Keeps the draft here with every change; the sender brings it to the server. */
function useKeptDraft(opened: Assignment, { mark, ...work }: Work, onLost: (error: Error) => void): void {
  const user = useUser();
  const sender = useSender();
  const toDraft = useNewest(work.toDraft);
  const newestMark = useNewest(work.newestMark);
  // A draft newer than the server's is still to be sent.
  const [isNewer] = useState(() => versionOf(recordOf(user.id, opened)) > versionOf(opened));
  const keptMark = useRef(isNewer ? null : mark);

  const keep = useCallback(
    (mark: string) => {
      if (keptMark.current !== mark) sender.keep(opened, toDraft);
      keptMark.current = mark;
    },
    [sender, opened, toDraft],
  );
  useEffect(() => sender.open(opened, () => keep(newestMark()), onLost), [sender, opened, keep, newestMark, onLost]);
  useEffect(() => keep(mark), [keep, mark]);
}

function versionOf({ draft }: { draft?: Draft | null }): number {
  return draft?.version ?? 0;
}
