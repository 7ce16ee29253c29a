import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, isPassing } from "@/api/client";
import type { Assignment, Question } from "@/api/types";
import { submitOnEnter } from "@/rating/keys/submitOnEnter";
import { Loaded } from "@/shared/Loaded";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextArea } from "@/shared/ui/Field";
import AnswersDialog from "@/work/questions/AnswersDialog";
import { QuestionList } from "@/work/questions/QuestionList";
import { taskQuestionsQuery } from "@/work/questions/questions";
import classes from "@/work/questions/questions.module.css";
import { says } from "@/work/questions/strings";

const TRIES = 5;

interface Props {
  assignment: Assignment;
  onClose: () => void;
}

/** What was asked about the task and answered, and room for a question. */
export default function QuestionDialog({ assignment, onClose }: Props) {
  const asked = useQuery({ ...taskQuestionsQuery(assignment.id), staleTime: 0 });
  const [isAll, setAll] = useState(false);
  if (isAll) return <AnswersDialog phase={assignment.phase.id} onClose={onClose} />;
  return (
    <Dialog title={says.title} onClose={onClose}>
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
        {says.all}
      </Button>
    </Dialog>
  );
}

/** `open`: the question that waits for its answer, which can be changed meanwhile. */
function Ask({ assignment: { id }, open, onClose }: Props & { open: Question | undefined }) {
  const queries = useQueryClient();
  const [note, setNote] = useState(open?.question ?? "");
  const ask = useMutation({
    mutationFn: () =>
      client.POST("/api/assignments/{id}/report/", {
        params: { path: { id } },
        body: { kind: "question", note: note.trim() },
      }),
    retry: (failures, error) => failures < TRIES && isPassing(error),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: taskQuestionsQuery(id).queryKey });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== "") ask.mutate();
      }}
    >
      <p className={classes.who}>{open ? says.change : says.about}</p>
      <TextArea
        label={says.question}
        description={strings.label.boxHint}
        rows={3}
        autoFocus
        maxLength={5000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={submitOnEnter}
      />
      {ask.error && (
        <p className="small wrong" role="alert">
          {messageOf(ask.error)}
        </p>
      )}
      <div className="row row-end">
        <Button look="plain" onClick={onClose}>
          {strings.cancel}
        </Button>
        <Button type="submit" isBusy={ask.isPending} disabled={note.trim() === ""}>
          {says.send}
        </Button>
      </div>
    </form>
  );
}
