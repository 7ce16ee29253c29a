import { useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { lazily } from "@/shared/Contained";

const HistoryDialog = lazily(() => import("./HistoryDialog"));
const ReportDialog = lazily(() => import("./ReportDialog"));
const QuestionDialog = lazily(() => import("./QuestionDialog"));

/** One's last submissions, the report on the reference answer, and questions, the same on every labelling screen. */
export function useRecords(assignment: Assignment): { run: (command: Command) => void; element: ReactNode } {
  const [open, setOpen] = useState<Command | null>(null);
  const onClose = () => setOpen(null);
  const hasAnswer = assignment.problem.reference_answer !== "";
  return {
    run(command) {
      if (command === "history" || command === "question" || (command === "report" && hasAnswer)) setOpen(command);
    },
    element: (
      <>
        {open === "history" && <HistoryDialog phase={assignment.phase.id} onClose={onClose} />}
        {open === "report" && <ReportDialog assignment={assignment} onClose={onClose} />}
        {open === "question" && <QuestionDialog assignment={assignment} onClose={onClose} />}
      </>
    ),
  };
}
