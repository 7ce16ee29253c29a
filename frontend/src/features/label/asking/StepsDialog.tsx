import { useRef } from "react";
import type { Assignment } from "@/api/types";
import { messageOf } from "@/shared/page/Loaded";
import { placeIn } from "@/shared/text/placeIn";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextArea, UNCHANGED } from "@/shared/ui/Field";
import { useReport } from "./NoteForm";

interface Props {
  assignment: Assignment;
  step: number;
  onClose: () => void;
  onSent: () => void;
}

/** Tells the admins that a step should be cut in two, or be one with the next. */
export default function StepsDialog({ assignment, step, onClose, onSent }: Props) {
  const { steps } = assignment.solution;
  const text = steps[step] ?? "";
  const field = useRef<HTMLTextAreaElement>(null);
  const report = useReport(assignment, "steps", () => {
    onSent();
    onClose();
  });
  const cut = () => report.mutate({ step, place: placeIn(text, field.current?.selectionStart ?? 0) });
  return (
    <Dialog title={`Is step ${step + 1} cut wrongly?`} onClose={onClose}>
      <TextArea
        ref={field}
        label="The step"
        description="Put the cursor where another step should begin. Your rating stays yours to give: rate what is shown."
        rows={6}
        {...UNCHANGED}
        value={text}
        data-autofocus
      />
      {report.error && (
        <p className="small wrong" role="alert">
          {messageOf(report.error)}
        </p>
      )}
      <div className="row row-end">
        <Button look="plain" onClick={onClose}>
          {strings.cancel}
        </Button>
        {step + 1 < steps.length && (
          <Button look="tinted" isBusy={report.isPending} onClick={() => report.mutate({ step })}>
            One step with the next
          </Button>
        )}
        <Button isBusy={report.isPending} onClick={cut}>
          Cut at the cursor
        </Button>
      </div>
    </Dialog>
  );
}
