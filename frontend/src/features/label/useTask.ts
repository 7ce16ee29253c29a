import { useReducer } from "react";
import type { Assignment, FinishReason } from "@/api/types";
import { begin, finishReason, reduce, toDraft, toSubmission } from "./labelling";
import { useAssignment, useStart } from "./useAssignment";

/** Changes with every answer and note, and not with time alone. */
function fingerprint(labelling: ReturnType<typeof begin>): string {
  return JSON.stringify([labelling.history.length, labelling.steps.map((step) => step.note)]);
}

/** One task of kind `solutions`, from its first key press to its submission. */
export function useTask(assignment: Assignment) {
  const start = useStart(assignment);
  const [labelling, dispatch] = useReducer(reduce, null, () => begin(assignment.solution.steps.length, start));
  const { submit, ...work } = useAssignment(assignment, {
    mark: fingerprint(labelling),
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
