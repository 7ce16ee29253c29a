import { useMemo, useReducer } from "react";
import type { Assignment, FinishReason } from "@/api/types";
import { useNewest } from "@/shared/useNewest";
import { useSettled } from "@/shared/useSettled";
import type { Asked } from "./beside";
import { begin, finishReason, reduce, toDraft, toSubmission, type Action, type Labelling } from "./labelling";
import { useAssignment, useStart } from "./useAssignment";

/** Everything worth saving but time, which alone is not worth a request. */
function markOf(labelling: Labelling): string {
  return JSON.stringify(toDraft(labelling, 0), (key, value: unknown) => (key === "active_ms" ? undefined : value));
}

function askedBy({ asks_alternatives, asks_critiques, asks_progress }: Assignment["phase"]): Asked {
  return { alternatives: asks_alternatives, critiques: asks_critiques, progress: asks_progress };
}

/** One task of kind `solutions`, from its first key press to its submission. */
export function useTask(assignment: Assignment) {
  const start = useStart(assignment);
  const [labelling, act] = useReducer(reduce, null, () =>
    begin(assignment.solution.steps.length, start, askedBy(assignment.phase)),
  );
  // The step that was rated is drawn first; the draft, and what stands around the step, in the next frame.
  const settled = useSettled(labelling);
  const mark = useMemo(() => markOf(settled), [settled]);
  const { submit, takeTime, ...work } = useAssignment(assignment, {
    mark,
    newestMark: () => markOf(labelling),
    toDraft: (version) => toDraft(labelling, version),
    onSpent: (ms) => act({ type: "spend", ms }),
  });
  // The time up to an action belongs to what was in focus before it.
  const dispatch = useNewest((action: Action) => {
    act({ type: "spend", ms: takeTime() });
    act(action);
  });
  return {
    ...work,
    labelling,
    settled,
    dispatch,
    submit: (reason: FinishReason, note = "") =>
      submit(toSubmission(reduce(labelling, { type: "spend", ms: takeTime() }), reason, note)),
    finish: finishReason(labelling),
  };
}

export type TaskState = ReturnType<typeof useTask>;
