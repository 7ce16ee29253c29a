import { useReducer } from "react";
import type { Assignment, FinishReason } from "@/api/types";
import { begin, toDraft, toSubmission } from "@/rating/trajectory/draft";
import { reduce, type Action } from "@/rating/trajectory/moves";
import { finishReason, NOTHING_ASKED, type Asked } from "@/rating/trajectory/trajectory";
import { useNewest } from "@/shared/useNewest";
import { useSettled } from "@/shared/useSettled";
import { useAssignment, useStart } from "@/work/useAssignment";

function askedBy(phase: Assignment["phase"]): Asked {
  return {
    completions: phase.asks_alternatives,
    critiques: phase.asks_critiques,
    progress: phase.asks_progress,
    whyUnsure: phase.asks_why_unsure,
  };
}

/** One task, from its first key press to its submission. */
export function useTask(assignment: Assignment) {
  const { phase, solution } = assignment;
  const start = useStart(assignment);
  const [trajectory, act] = useReducer(reduce, null, () =>
    phase.kind === "alternatives" ? begin(null, start, NOTHING_ASKED) : begin(solution.steps, start, askedBy(phase)),
  );
  // What was rated is drawn first; the draft, and what stands around it, in the next frame.
  const settled = useSettled(trajectory);
  const { submit, takeTime, ...work } = useAssignment(assignment, {
    mark: String(settled.edition),
    newestMark: () => String(trajectory.edition),
    toDraft: (version) => toDraft(trajectory, version),
    onSpent: (ms) => act({ type: "spend", ms }),
  });
  // The time up to an action belongs to what was in focus before it.
  const dispatch = useNewest((action: Action) => {
    act({ type: "spend", ms: takeTime() });
    act(action);
  });
  return {
    work,
    trajectory,
    settled,
    dispatch,
    submit: (reason: FinishReason, note = "") =>
      submit(toSubmission(reduce(trajectory, { type: "spend", ms: takeTime() }), reason, note)),
    finish: finishReason(trajectory),
  };
}

export type Task = ReturnType<typeof useTask>;
