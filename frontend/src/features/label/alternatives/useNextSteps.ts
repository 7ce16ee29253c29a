import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isSettled } from "@/rating/trajectory/places";
import { likelyPath, pathOf, placeOf } from "@/rating/trajectory/trajectory";
import { prefetchOffer, useOffer } from "@/work/useOffer";
import type { Task } from "../useTask";

/** Brings what can come next into the trajectory, and fetches ahead what will probably come after it. */
export function useNextSteps(assignment: string, { trajectory, dispatch }: Task) {
  const queries = useQueryClient();
  const here = JSON.stringify(pathOf(trajectory));
  const path = useMemo(() => JSON.parse(here) as string[], [here]);
  // A step that is done asks for nothing more: what was rated stays as it was offered.
  const offer = useOffer(assignment, "step", path, !isSettled(placeOf(trajectory)));
  const { completions } = offer;
  useEffect(() => dispatch({ type: "offered", kind: "completions", path, completions }), [dispatch, path, completions]);

  const likely = likelyPath(trajectory);
  const ahead = likely && JSON.stringify(likely);
  useEffect(() => {
    if (ahead !== null) prefetchOffer(queries, assignment, "step", JSON.parse(ahead) as string[]);
  }, [queries, assignment, ahead]);
  return offer;
}
