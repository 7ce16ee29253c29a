import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { MathText } from "@/shared/MathText";
import { Notice } from "@/shared/Notice";
import { messageOf } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { Button } from "@/shared/ui/Button";
import { assignmentQuery } from "./claim";
import { mirrorKey, writeMirror } from "./draftMirror";
import type { Entry } from "./outbox";
import { useOutbox } from "./useOutbox";
import classes from "./RefusedNotice.module.css";
import { reopenAddress } from "./useReopened";
import { says } from "./refusedStrings";

/** A submission that the server did not take: its author looks again, or lets it go. */
export default function RefusedNotice({ entry }: { entry: Entry }) {
  const outbox = useOutbox();
  const [isSure, setSure] = useState(false);
  const lookAgain = useLookAgain(entry);
  return (
    <Notice tone="bad">
      <div className={classes.said}>
        <strong>{says.refused}</strong> <span>{entry.refusal}</span>
        <div className="small dim">
          <MathText text={entry.title} isClipped />
        </div>
      </div>
      <div className="row">
        {lookAgain.error && <p className="small">{messageOf(lookAgain.error)}</p>}
        <Button size="small" isBusy={lookAgain.isPending} onClick={() => lookAgain.mutate()}>
          {says.lookAgain}
        </Button>
        <Button size="small" look="plain" onClick={() => (isSure ? outbox.discard(entry.key) : setSure(true))}>
          {isSure ? says.sureDiscard : says.discard}
        </Button>
      </div>
    </Notice>
  );
}

/** Opens the task again with everything that was in the submission. */
function useLookAgain({ key, assignment: id, phase, body }: Entry) {
  const outbox = useOutbox();
  const user = useUser();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => queries.query({ ...assignmentQuery(id), staleTime: 0 }),
    onSuccess: (assignment) => {
      const { ratings, critiques, history, solution_progress, finish_note, active_ms } = body;
      const version = (assignment.draft?.version ?? 0) + 1;
      writeMirror(mirrorKey(user.id, assignment), {
        ratings,
        critiques,
        history,
        solution_progress,
        finish_note,
        active_ms,
        version,
      });
      outbox.discard(key);
      navigate(reopenAddress(phase, id));
    },
  });
}
