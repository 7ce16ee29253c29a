import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { client, isPassing } from "@/api/client";
import { readAgain } from "@/api/reading";
import type { Assignment, ReportKind, ReportRequestRequest } from "@/api/types";
import { BOX_HINT } from "@/rating/keys/saveOrLeave";
import classes from "@/rating/TaskScreen.module.css";
import { messageOf } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea } from "@/shared/ui/Field";
import { assignmentQuery, claimQuery } from "@/work/claim";
import { taskQuestionsQuery } from "@/work/questions/QuestionList";

interface Props {
  label: string;
  hint?: string;
  /** The text that stands there at first. */
  note?: string;
  /** Texts that a digit, or a click, writes for one. */
  quick?: readonly string[];
  isOptional?: boolean;
  send: string;
  act?: Pick<UseMutationResult, "error" | "isPending">;
  onSend: (note: string) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** A text for the admins: Enter sends it, Shift+Enter is a new line. */
export function NoteForm(props: Props) {
  const { label, hint = "", quick = [], isOptional = false, send, act, onSend, onClose, children } = props;
  const [note, setNote] = useState(props.note ?? "");
  const text = useRef<HTMLTextAreaElement>(null);
  const isMissing = !isOptional && note.trim() === "";
  const pick = (words: string) => {
    setNote(words);
    text.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    const isTyping = event.target === text.current;
    const words = isTyping ? undefined : quick[Number(event.key) - 1];
    const isSent = isTyping && event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (words === undefined && !isSent) return;
    event.preventDefault();
    if (words === undefined) event.currentTarget.requestSubmit();
    else pick(words);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the box, and digits written on buttons
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing) onSend(note.trim());
      }}
      onKeyDown={press}
    >
      {children}
      {quick.length > 0 && (
        <div className={classes.reasons} role="group" aria-label={label}>
          {quick.map((words, index) => (
            <Button
              key={words}
              size="small"
              look={note === words ? "tinted" : "plain"}
              data-autofocus={index === 0 || undefined}
              onClick={() => pick(words)}
            >
              <kbd aria-hidden>{index + 1}</kbd> {words}
            </Button>
          ))}
        </div>
      )}
      <TextArea
        ref={text}
        label={label}
        description={`${hint} ${BOX_HINT}`.trim()}
        rows={3}
        required={!isOptional}
        autoFocus={quick.length === 0}
        data-autofocus={quick.length === 0 || undefined}
        maxLength={5000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {act?.error && (
        <p className="small wrong" role="alert">
          {messageOf(act.error)}
        </p>
      )}
      <div className="row row-end">
        <Button look="plain" onClick={onClose}>
          {strings.cancel}
        </Button>
        <Button type="submit" isBusy={act?.isPending ?? false} disabled={isMissing}>
          {send}
        </Button>
      </div>
    </form>
  );
}

const TRIES = 5;
/** A step, and the character before which it should be cut; without it, the step and the next are one. */
type Cut = Pick<ReportRequestRequest, "step" | "place">;

/** Tells the admins something about a task; a report on the reference answer shows on it from then on. */
export function useReport({ id, phase }: Assignment, kind: ReportKind, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (said: string | Cut) => {
      const about = typeof said === "string" ? { note: said } : said;
      return client.POST("/api/assignments/{id}/report/", { params: { path: { id } }, body: { kind, ...about } });
    },
    retry: (failures, error) => failures < TRIES && isPassing(error),
    onSuccess: (_, said) => {
      if (kind === "question") void readAgain(queries, taskQuestionsQuery(id));
      if (kind === "reference_answer" && typeof said === "string") {
        queries.setQueryData(claimQuery(phase.id).queryKey, (claim) =>
          claim?.assignment?.id === id ? { ...claim, assignment: { ...claim.assignment, report: said } } : claim,
        );
        queries.setQueryData(assignmentQuery(id).queryKey, (task) => task && { ...task, report: said });
      }
      onDone();
    },
  });
}
