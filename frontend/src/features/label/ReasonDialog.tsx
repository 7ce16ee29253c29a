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
  onClose: () => void;
  onSend: (note: string) => void;
}

/** A digit picks a reason and moves on to the text, where Enter sends it. */
export default function ReasonDialog({ reason, ...acts }: Props) {
  const { title, ...form } = REASONS[reason];
  return (
    <Dialog title={title} onClose={acts.onClose}>
      <NoteForm label="Reason" send="Send and continue" {...form} {...acts} />
    </Dialog>
  );
}
