import type { Phase } from "@/api/types";

/** Why nothing can be labelled in a phase; `null` where something can. */
export function obstacle(phase: Phase) {
  if (phase.status !== "running") return "notRunning";
  if (!phase.is_member) return "notMember";
  if (phase.screening === "failed") return "screeningFailed";
  if (phase.screening === "pending") return null;
  if (phase.is_paused) return "paused";
  if (phase.open_round === null) return "noRound";
  return phase.tasks_available ? null : "noTasks";
}
