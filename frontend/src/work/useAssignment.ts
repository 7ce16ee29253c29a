import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, isPassing, ProblemError } from "@/api/client";
import type { Assignment, Draft, Submission } from "@/api/types";
import { askWhoIsThere, useUser } from "@/shared/session";
import { leaseUntil } from "./lease";
import { startingDraft } from "./record";
import { useActiveTime } from "./useActiveTime";
import { useDraft, type DraftContent } from "./useDraft";

const GONE = [403, 404, 409];

interface Work extends DraftContent {
  /** Active milliseconds since the last call, once a second. */
  onSpent: (ms: number) => void;
}

/** What the screen begins with: its draft, or the labelling that is being revised. The same for as long as it is shown. */
export function useStart(assignment: Assignment): Draft | null {
  const user = useUser();
  const [start] = useState(() => startingDraft(user.id, assignment));
  return start;
}

/** What every labelling screen does with its assignment: keep the draft and the lease, count the time, submit, give back. */
export function useAssignment(assignment: Assignment, { onSpent, ...content }: Work) {
  const queries = useQueryClient();
  const [gone, setGone] = useState<Error | null>(null);
  const path = { id: assignment.id };
  const revises = assignment.labelling?.id ?? null;

  const loseIfGone = (error: Error) => {
    askWhoIsThere(queries, error);
    if (error instanceof ProblemError && GONE.includes(error.status) && !isPassing(error)) setGone(error);
  };

  const draft = useDraft(assignment, content, loseIfGone);
  const [lease, setLease] = useState(() => leaseUntil(assignment.lease_expires_at));
  const renew = async () => {
    const renewed = await dataOf(client.POST("/api/assignments/{id}/renew/", { params: { path } }));
    setLease(leaseUntil(renewed.lease_expires_at));
  };
  const takeTime = useActiveTime(onSpent, () => {
    if (lease.isHalfOver()) renew().catch(loseIfGone);
  });

  const release = useMutation({
    mutationFn: async () => {
      await draft.finish(); // it is there when the task comes round again
      return client.POST("/api/assignments/{id}/release/", { params: { path } });
    },
    onError: loseIfGone,
  });

  /** Puts the labelling on its way. The page shows the next task at once; the sender says when this one has arrived. */
  const submit = (body: Submission) => {
    const { guidelines_version } = assignment.phase;
    draft.submit({ ...body, guidelines_version, revises, ahead: revises === null });
  };

  return {
    submit,
    takeTime,
    release,
    saveState: draft.saveState,
    isLost: gone !== null,
    lostBecause: gone?.message,
    isRevision: revises !== null,
  };
}
