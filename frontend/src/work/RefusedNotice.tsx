import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { MathText } from "@/shared/text/MathText";
import { messageOf, Notice } from "@/shared/page/Loaded";
import { Button } from "@/shared/ui/Button";
import { assignmentQuery } from "./claim";
import type { Submitting } from "./sending/record";
import { reopenAddress } from "./useReopened";
import { useSender } from "./sending/useSender";

/** A submission that the server refused, with buttons to look at it again or to discard it. */
export default function RefusedNotice({ record }: { record: Submitting }) {
  const sender = useSender();
  const [isSure, setSure] = useState(false);
  const lookAgain = useLookAgain(record);
  return (
    <Notice tone="bad">
      <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
        <strong>Not accepted</strong> <span>{record.submission.refusal}</span>
        <div className="small dim">
          <MathText text={record.title} isClipped />
        </div>
      </div>
      <div className="row">
        {lookAgain.error && <p className="small">{messageOf(lookAgain.error)}</p>}
        <Button size="small" isBusy={lookAgain.isPending} onClick={() => lookAgain.mutate()}>
          Look again
        </Button>
        <Button size="small" look="plain" onClick={() => (isSure ? sender.discard(record) : setSure(true))}>
          {isSure ? "Discard permanently" : "Discard"}
        </Button>
      </div>
    </Notice>
  );
}

/** Opens the task again with everything that was in the submission. */
function useLookAgain(record: Submitting) {
  const sender = useSender();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => queries.query({ ...assignmentQuery(record.assignment), staleTime: 0 }),
    onSuccess: (assignment) => {
      sender.takeBack(record, assignment);
      navigate(reopenAddress(record.phase, record.assignment));
    },
  });
}
