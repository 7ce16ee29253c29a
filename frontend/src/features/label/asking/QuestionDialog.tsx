import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Assignment, Question } from "@/api/types";
import { Loaded } from "@/shared/page/Loaded";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import AnswersDialog, { QuestionList, taskQuestionsQuery } from "@/work/questions/QuestionList";
import classes from "@/work/questions/questions.module.css";
import { NoteForm, useReport } from "./NoteForm";

interface Props {
  assignment: Assignment;
  onClose: () => void;
}

/** The questions about the task with their answers, and room for another. */
export default function QuestionDialog({ assignment, onClose }: Props) {
  const asked = useQuery({ ...taskQuestionsQuery(assignment.id), gcTime: 0 });
  const [isAll, setAll] = useState(false);
  if (isAll) return <AnswersDialog phase={assignment.phase.id} onClose={onClose} />;
  return (
    <Dialog title="Ask the admins" onClose={onClose}>
      <Loaded query={asked}>
        {(questions) => (
          <>
            <QuestionList phase={assignment.phase.id} questions={questions.filter(({ closed_at }) => closed_at)} />
            <Ask
              assignment={assignment}
              open={questions.find(({ closed_at }) => closed_at === null)}
              onClose={onClose}
            />
          </>
        )}
      </Loaded>
      <Button size="small" look="quiet" onClick={() => setAll(true)}>
        All your questions
      </Button>
    </Dialog>
  );
}

/** `open`: the question that waits for its answer, which can be changed meanwhile. */
function Ask({ assignment, open, onClose }: Props & { open: Question | undefined }) {
  const ask = useReport(assignment, "question", onClose);
  return (
    <NoteForm
      label="Your question"
      note={open?.question ?? ""}
      send="Ask"
      act={ask}
      onSend={ask.mutate}
      onClose={onClose}
    >
      <p className={classes.who}>
        {open
          ? "You can change your question until it is answered."
          : "Nobody else reads it, and it changes nothing about your labelling. The answer appears here and on your start page."}
      </p>
    </NoteForm>
  );
}
