import { useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { HistoryDialog } from "./HistoryDialog";
import type { Command } from "./keymap";
import { ReportDialog } from "./ReportDialog";

/** One's last submissions, and the report on the reference answer, the same on every labelling screen. */
export function useRecords(assignment: Assignment): { run: (command: Command) => void; element: ReactNode } {
  const [open, setOpen] = useState<Command | null>(null);
  const onClose = () => setOpen(null);
  const hasAnswer = assignment.problem.reference_answer !== "";
  return {
    run(command) {
      if (command === "history" || (command === "report" && hasAnswer)) setOpen(command);
    },
    element: (
      <>
        {open === "history" && <HistoryDialog phase={assignment.phase.id} onClose={onClose} />}
        {open === "report" && <ReportDialog assignment={assignment} onClose={onClose} />}
      </>
    ),
  };
}
