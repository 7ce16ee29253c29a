import type { Assignment } from "@/api/types";
import { Dialog } from "@/shared/ui/Dialog";
import { NoteForm } from "./NoteForm";

const REASONS = {
  bad_problem: {
    title: "What is wrong with this problem?",
    hint: "For example: it cannot be understood, something is missing, or it has no answer.",
    quick: [
      "It cannot be understood",
      "Something is missing",
      "It has no answer, or several",
      "It contradicts itself",
      "A picture is needed",
    ],
  },
  give_up: {
    title: "Why give up on this one?",
    hint: "For example: you cannot check it in reasonable time. Nobody is judged for giving up.",
    quick: ["It takes too long to check", "It is beyond what I know", "The text is broken"],
  },
};

interface Props {
  reason: keyof typeof REASONS;
  /** What is being revised, whose reason can be read and changed. */
  before: Assignment["labelling"];
  onClose: () => void;
  onSend: (note: string) => void;
}

/** A digit picks a reason and moves on to the text, where Enter sends it. */
export default function ReasonDialog({ reason, before, ...acts }: Props) {
  const { title, ...form } = REASONS[reason];
  const note = before?.finish_reason === reason ? before.finish_note : "";
  return (
    <Dialog title={title} onClose={acts.onClose}>
      <NoteForm label="Reason" send="Send and continue" note={note} {...form} {...acts} />
    </Dialog>
  );
}
