import type { Assignment } from "@/api/types";
import { instructionOf } from "@/rating/words/profiles";
import { AnswerText } from "@/shared/text/AnswerText";
import { Dialog } from "@/shared/ui/Dialog";
import classes from "../LabelPage.module.css";
import { NoteForm, useReport } from "./NoteForm";

interface Props {
  assignment: Assignment;
  kind?: "reference_answer" | "gold";
  onClose: () => void;
  onSent?: () => void;
}

/** Tells the admins that the reference answer looks wrong, or after screening the experts' labels. */
export default function ReportDialog({ assignment, kind = "reference_answer", onClose, onSent }: Props) {
  const report = useReport(assignment, kind, () => {
    onSent?.();
    onClose();
  });
  const form = { send: "Report it", isOptional: true, act: report, onSend: report.mutate, onClose };
  if (kind === "gold") {
    return (
      <Dialog title="Do the experts’ labels look wrong?" onClose={onClose}>
        <NoteForm label="Which step, and why?" {...form}>
          <p className={classes.about}>An admin will look into it. Your screening goes on meanwhile.</p>
        </NoteForm>
      </Dialog>
    );
  }
  return (
    <Dialog title="Does the answer on file look wrong?" onClose={onClose}>
      <NoteForm label="What should it be, and why?" note={assignment.report ?? ""} {...form}>
        <AnswerText text={assignment.problem.reference_answer} />
        <p className={classes.about}>
          {assignment.report === null
            ? `An admin will look into it. It changes nothing about your rating. ${instructionOf(assignment.phase)}`
            : "You have reported it. You can change what you said."}
        </p>
      </NoteForm>
    </Dialog>
  );
}
