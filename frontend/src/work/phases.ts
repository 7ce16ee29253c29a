import type { Phase } from "@/api/types";

/** Why nothing can be labelled in a phase; `null` where something can. */
export function obstacle(phase: Phase): string | null {
  if (phase.status !== "running") return "This phase is not running.";
  if (!phase.is_member) return "You have not been added to this phase.";
  if (phase.screening === "failed")
    return "Your agreement in the screening was below the pass mark. Talk to an admin about another try.";
  if (phase.screening === "pending") return null;
  if (phase.is_paused) return "Your work is paused. Staff want to talk to you before you go on.";
  if (phase.open_round === null) return "No round is open at the moment.";
  return phase.tasks_available ? null : "You have labelled everything in this round.";
}
