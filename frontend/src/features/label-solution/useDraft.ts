import { useEffect, useRef, useState } from "react";
import { client } from "@/api/client";
import type { Assignment } from "@/api/types";
import { draftSaver, type DraftSaver, type SaveState } from "./draftSaver";
import { toDraft, type Labelling } from "./labelling";

function saverFor({ id, draft }: Assignment, onState: (state: SaveState) => void): DraftSaver<Labelling> {
  return draftSaver<Labelling>({
    version: draft?.version ?? 0,
    onState,
    send: (labelling, version, isLeaving) =>
      client.PUT("/api/assignments/{id}/draft/", {
        params: { path: { id } },
        body: toDraft(labelling, version),
        keepalive: isLeaving,
      }),
  });
}

/** Changes with every answer and note, and not with time alone. */
function fingerprint(labelling: Labelling): string {
  return JSON.stringify([labelling.history.length, labelling.steps.map((step) => step.note)]);
}

/** Keeps the server's draft up to date with `labelling`. Calls are safe at any time. */
export function useDraft(assignment: Assignment, labelling: Labelling) {
  const [saveState, setSaveState] = useState<SaveState>("saved");
  const [saver] = useState(() => saverFor(assignment, setSaveState));
  const newest = useRef(labelling);
  const mark = fingerprint(labelling);
  const savedMark = useRef(mark);

  useEffect(() => {
    newest.current = labelling;
  }, [labelling]);

  useEffect(() => {
    if (savedMark.current === mark) return;
    savedMark.current = mark;
    saver.schedule(newest.current);
  }, [mark, saver]);

  useEffect(() => {
    const leave = () => saver.leave();
    const retry = () => saver.retryNow();
    window.addEventListener("pagehide", leave);
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("online", retry);
      saver.leave();
      saver.pause();
    };
  }, [saver]);

  return { saveState, pause: () => saver.pause(), resume: () => saver.schedule(newest.current) };
}
