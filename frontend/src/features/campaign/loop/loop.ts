import { reading } from "@/api/reading";
import type { Loop } from "@/api/types";
import { isActive } from "@/shared/runs/runs";

/** A phase's loop, asked again often while a job is under way. */
export function loopQuery(phase: string) {
  const isBusy = (loop: Loop | undefined) => loop?.parts.some(({ run }) => run && isActive(run)) ?? false;
  return {
    ...reading("/api/phases/{phase_id}/loop/", { path: { phase_id: phase } }),
    refetchInterval: ({ state }: { state: { data: Loop | undefined } }) => (isBusy(state.data) ? 1500 : 10_000),
  };
}
