import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer } from "react";
import type { Assignment, FinishReason } from "@/api/types";
import { useNewest } from "@/shared/useNewest";
import { useAssignment, useStart } from "../useAssignment";
import { prefetchOffer, useOffer } from "../useOffer";
import { finishReason, isSettled, keyOf, likelyPath, pathOf, placeOf, type Path } from "./places";
import { reduce, type Action } from "./trajectory";
import { begin, toDraft, toSubmission } from "./trajectoryDraft";

/** One task of kind `alternatives`, from its first completion to its submission. */
export function useTrajectory(assignment: Assignment) {
  const queries = useQueryClient();
  const start = useStart(assignment);
  const [trajectory, act] = useReducer(reduce, start, begin);
  const place = placeOf(trajectory);
  const { submit, takeTime, ...work } = useAssignment(assignment, {
    mark: String(trajectory.edition),
    newestMark: () => String(trajectory.edition),
    toDraft: (version) => toDraft(trajectory, version),
    onSpent: (ms) => act({ type: "spend", ms }),
  });
  const dispatch = useNewest((action: Action) => {
    act({ type: "spend", ms: takeTime() });
    act(action);
  });

  const here = keyOf(pathOf(trajectory));
  const path = useMemo(() => JSON.parse(here) as Path, [here]);
  // A step that is done asks for nothing more: what was rated stays as it was offered.
  const offer = useOffer(assignment.id, "step", path, place === null || !isSettled(place));
  const { completions } = offer;
  useEffect(() => act({ type: "offered", path, completions }), [path, completions]);

  const likely = likelyPath(trajectory);
  const ahead = likely === null || keyOf(likely) in trajectory.places ? null : keyOf(likely);
  useEffect(() => {
    if (ahead !== null) prefetchOffer(queries, assignment.id, "step", JSON.parse(ahead) as Path);
  }, [queries, assignment.id, ahead]);

  return {
    work,
    trajectory,
    dispatch,
    place,
    path,
    offer,
    finish: finishReason(trajectory),
    submit: (reason: FinishReason, note = "") =>
      submit(toSubmission(reduce(trajectory, { type: "spend", ms: takeTime() }), reason, note)),
  };
}

export type TrajectoryTask = ReturnType<typeof useTrajectory>;
