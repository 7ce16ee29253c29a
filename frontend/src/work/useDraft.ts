import { useCallback, useEffect, useRef, useState } from "react";
import { client } from "@/api/client";
import type { Assignment, Draft } from "@/api/types";
import { mirrorKey, readMirror, writeMirror } from "./draftMirror";
import { draftSaver, draftsSettled, type DraftSaver, type SaveState } from "./draftSaver";

export interface DraftContent {
  /** Changes with everything worth saving, and not with time alone. It may lag behind by a frame. */
  mark: string;
  /** The mark of what has been done by now. */
  newestMark: () => string;
  toDraft: (version: number) => Draft;
}

type ToDraft = DraftContent["toDraft"];

interface Hooks {
  onState: (state: SaveState) => void;
  onError: (error: Error) => void;
}

function saverFor(assignment: Assignment, mirror: string, hooks: Hooks): DraftSaver<ToDraft> {
  const version = Math.max(assignment.draft?.version ?? 0, readMirror(mirror)?.version ?? 0);
  return draftSaver<ToDraft>({
    ...hooks,
    version,
    keep: (toDraft, next) => writeMirror(mirror, toDraft(next)),
    send: (toDraft, next, isLeaving) =>
      client.PUT("/api/assignments/{id}/draft/", {
        params: { path: { id: assignment.id } },
        body: toDraft(next),
        keepalive: isLeaving,
      }),
  });
}

/**
 * Keeps the mirror up to date at once, and the server's draft within seconds and whenever the task is left. A revision has
 * only the mirror. Calls are safe at any time.
 */
export function useDraft(
  assignment: Assignment,
  user: string,
  { mark, newestMark, toDraft }: DraftContent,
  onError: (error: Error) => void,
) {
  const mirror = mirrorKey(user, assignment);
  const isRevision = assignment.labelling !== null;
  const [saveState, setSaveState] = useState<SaveState>("saved");
  const [saver] = useState(() => saverFor(assignment, mirror, { onState: setSaveState, onError }));
  const newest = useRef({ newestMark, toDraft });
  // What came from the mirror alone has not been on the server yet.
  const [wasSaved] = useState(() => (readMirror(mirror)?.version ?? 0) <= (assignment.draft?.version ?? 0));
  const savedMark = useRef(wasSaved ? mark : null);

  useEffect(() => {
    newest.current = { newestMark, toDraft };
  });

  const save = useCallback(
    (reached: string) => {
      if (savedMark.current === reached) return;
      savedMark.current = reached;
      if (!isRevision) saver.schedule(newest.current.toDraft);
      else writeMirror(mirror, newest.current.toDraft(1));
    },
    [saver, isRevision, mirror],
  );

  useEffect(() => save(mark), [save, mark]);

  useEffect(() => {
    const leave = () => {
      save(newest.current.newestMark());
      saver.leave();
    };
    // A tab that is out of sight may never come back: a phone drops it without another word.
    const hide = () => {
      if (document.visibilityState === "hidden") leave();
    };
    const retry = () => saver.retryNow();
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", leave);
    window.addEventListener("online", retry);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("online", retry);
      leave();
      saver.pause();
    };
  }, [saver, save]);

  const pause = () => {
    savedMark.current = newest.current.newestMark(); // what is drawn a frame later must not start it again
    saver.pause();
  };
  /** Sends what is pending, and waits until it is there, or could not be sent. */
  const flush = async () => {
    save(newest.current.newestMark());
    saver.leave();
    await draftsSettled();
  };
  return { saveState, pause, flush };
}
