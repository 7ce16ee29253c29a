import { useReducer } from "react";
import type { Assignment, FinishReason } from "@/api/types";
import type { Asked } from "./beside";
import { begin, finishReason, reduce, toDraft, toSubmission, type Labelling } from "./labelling";
import { useAssignment, useStart } from "./useAssignment";

/** Everything worth saving but time, which alone is not worth a request. */
function markOf(labelling: Labelling): string {
  return JSON.stringify(toDraft(labelling, 0), (key, value: unknown) => (key === "active_ms" ? undefined : value));
}

function askedBy({ asks_alternatives = false, asks_critiques = false, asks_progress = false }: Assignment["phase"]): Asked {
  return { alternatives: asks_alternatives, critiques: asks_critiques, progress: asks_progress };
}

/** One task of kind `solutions`, from its first key press to its submission. */
export function useTask(assignment: Assignment) {
  const start = useStart(assignment);
  const [labelling, dispatch] = useReducer(reduce, null, () => begin(assignment.solution.steps.length, start, askedBy(assignment.phase)));
  const { submit, ...work } = useAssignment(assignment, {
    mark: markOf(labelling),
    toDraft: (version) => toDraft(labelling, version),
    onSpent: (ms) => dispatch({ type: "spend", ms }),
  });
  return {
    ...work, labelling, dispatch,
    submit: (reason: FinishReason, note = "") => submit(toSubmission(labelling, reason, note)),
    finish: finishReason(labelling),
  };
}

export type TaskState = ReturnType<typeof useTask>;
