import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, isPassing } from "@/api/client";
import type { Assignment } from "@/api/types";
import { assignmentQuery, claimQuery } from "@/work/claim";

const TRIES = 5;

/** Files the annotator's report; one on the reference answer shows on the task from then on. */
export function useReport({ id, phase }: Assignment, kind: "reference_answer" | "gold") {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      client.POST("/api/assignments/{id}/report/", { params: { path: { id } }, body: { kind, note } }),
    retry: (failures, error) => failures < TRIES && isPassing(error),
    onSuccess: (_, note) => {
      if (kind === "gold") return;
      queries.setQueryData(claimQuery(phase.id).queryKey, (claim) =>
        claim?.assignment?.id === id ? { ...claim, assignment: { ...claim.assignment, report: note } } : claim,
      );
      queries.setQueryData(assignmentQuery(id).queryKey, (assignment) => assignment && { ...assignment, report: note });
    },
  });
}
