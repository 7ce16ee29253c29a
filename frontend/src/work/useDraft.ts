import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Assignment, Draft, Submission } from "@/api/types";
import { useNewest } from "@/shared/useNewest";
import { useUser } from "@/shared/session";
import { recordOf } from "./record";
import { useSender } from "./useSender";

export interface DraftContent {
  /** Changes with everything worth saving, and not with time alone. It may lag behind by a frame. */
  mark: string;
  /** The mark of what has been done by now. */
  newestMark: () => string;
  toDraft: (version: number) => Draft;
}

function versionOf({ draft }: { draft?: Draft | null }): number {
  return draft?.version ?? 0;
}

/** Keeps the draft here with every change; the sender brings it to the server. */
export function useDraft(assignment: Assignment, content: DraftContent, onLost: (error: Error) => void) {
  const user = useUser();
  const sender = useSender();
  const [opened] = useState(assignment);
  const toDraft = useNewest(content.toDraft);
  const newestMark = useNewest(content.newestMark);
  const lose = useNewest(onLost);
  // What comes from this browser alone has not been on the server yet.
  const [isNewer] = useState(() => versionOf(recordOf(user.id, assignment)) > versionOf(assignment));
  const keptMark = useRef(isNewer ? null : content.mark);

  const keep = useCallback(
    (mark: string) => {
      if (keptMark.current !== mark) sender.keep(opened, toDraft);
      keptMark.current = mark;
    },
    [sender, opened, toDraft],
  );

  useEffect(() => sender.open(opened, () => keep(newestMark()), lose), [sender, opened, keep, newestMark, lose]);
  useEffect(() => keep(content.mark), [keep, content.mark]);

  const submit = (body: Submission) => {
    keptMark.current = newestMark(); // what is drawn a frame later is part of it
    sender.submit(opened, body);
  };
  const saveState = useSyncExternalStore(sender.subscribe, () => sender.saveState(opened));
  return { saveState, submit, finish: () => sender.finish(opened) };
}
