import { useState } from "react";
import type { Assignment } from "@/api/types";
import { submitOnEnter } from "@/rating/keys/submitOnEnter";
import { AnswerText } from "@/shared/AnswerText";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextArea } from "@/shared/ui/Field";
import classes from "./LabelPage.module.css";
import { useReport } from "./useReport";
import { says as texts } from "./dialogStrings";

interface Props {
  assignment: Assignment;
  kind?: "reference_answer" | "gold";
  onClose: () => void;
  onSent?: () => void;
}

/** Tells the admins that the reference answer looks wrong, or after screening the experts' labels. */
export default function ReportDialog({ assignment, kind = "reference_answer", onClose, onSent }: Props) {
  const isGold = kind === "gold";
  const says = isGold ? texts.dispute : texts.report;
  const report = useReport(assignment, kind);
  const [note, setNote] = useState((!isGold && assignment.report) || "");
  const { error } = report;
  return (
    <Dialog title={says.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          report.mutate(note.trim(), {
            onSuccess: () => {
              onSent?.();
              onClose();
            },
          });
        }}
      >
        {!isGold && <AnswerText text={assignment.problem.reference_answer} />}
        <p className={classes.about}>{isGold || assignment.report === null ? says.about : texts.report.again}</p>
        <TextArea
          label={says.note}
          description={strings.label.boxHint}
          rows={3}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={submitOnEnter}
        />
        {error && (
          <p className="small wrong" role="alert">
            {messageOf(error)}
          </p>
        )}
        <div className="row row-end">
          <Button look="plain" onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button type="submit" isBusy={report.isPending}>
            {says.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
