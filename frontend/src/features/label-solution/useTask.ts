import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useReducer, useState } from "react";
import { client, dataOf, ProblemError } from "@/api/client";
import type { Assignment, FinishReason } from "@/api/types";
import { claimQuery } from "./claim";
import { begin, finishReason, reduce, toSubmission } from "./labelling";
import { useActiveTime } from "./useActiveTime";
import { useDraft } from "./useDraft";

const GONE = [403, 404, 409];

/** One task from its first key press to its submission. */
export function useTask(assignment: Assignment) {
  const queries = useQueryClient();
  const { queryKey } = claimQuery(assignment.phase.id);
  const [labelling, dispatch] = useReducer(reduce, null, () => begin(assignment.solution.steps.length, assignment.draft));
  const draft = useDraft(assignment, labelling);
  const [isLost, setIsLost] = useState(false);
  const path = { id: assignment.id };

  const loseIfGone = (error: Error) => {
    if (error instanceof ProblemError && GONE.includes(error.status)) setIsLost(true);
  };

  useActiveTime(
    (ms) => dispatch({ type: "spend", ms }),
    () => void client.POST("/api/assignments/{id}/renew/", { params: { path } }).catch(loseIfGone),
  );

  const submission = useMutation({
    mutationFn: ({ reason, note }: { reason: FinishReason; note: string }) => {
      draft.pause();
      const body = toSubmission(labelling, reason, note);
      return dataOf(client.POST("/api/assignments/{id}/submit/", { params: { path }, body }));
    },
    onSuccess: ({ next }) => {
      queries.setQueryData(queryKey, next);
      void queries.invalidateQueries({ queryKey: ["phases"] });
    },
    onError: (error) => {
      loseIfGone(error);
      draft.resume();
    },
  });

  const release = useMutation({
    mutationFn: () => {
      draft.pause();
      return client.POST("/api/assignments/{id}/release/", { params: { path } });
    },
    onError: loseIfGone,
  });

  const submit = (reason: FinishReason, note = "") => {
    if (!submission.isPending && !submission.isSuccess) submission.mutate({ reason, note });
  };

  return {
    labelling, dispatch, submission, release, submit,
    finish: finishReason(labelling),
    saveState: draft.saveState,
    isLost: isLost || draft.saveState === "lost",
  };
}

export type TaskState = ReturnType<typeof useTask>;
