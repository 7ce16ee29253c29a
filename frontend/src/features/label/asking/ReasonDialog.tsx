import type { Assignment } from "@/api/types";
import { Dialog } from "@/shared/ui/Dialog";
import { WAYS_OUT, type GivingUp } from "@/shared/words/waysOut";
import { NoteForm } from "./NoteForm";

interface Props {
  reason: GivingUp;
  /** The labelling that is being revised, whose reason can be read and changed. */
  before: Assignment["labelling"];
  onClose: () => void;
  onSend: (note: string) => void;
}

/** Asks why the annotator gives up: a digit picks a reason and moves on to the text, where Enter sends it. */
export default function ReasonDialog({ reason, before, ...acts }: Props) {
  const { title, ...form } = WAYS_OUT[reason].asks;
  const note = before?.finish_reason === reason ? before.finish_note : "";
  return (
    <Dialog title={title} onClose={acts.onClose}>
      <NoteForm label="Reason" send="Send and continue" note={note} {...form} {...acts} />
    </Dialog>
  );
}
