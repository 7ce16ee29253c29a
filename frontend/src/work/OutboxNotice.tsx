import { useEffect } from "react";
import { lazily } from "@/shared/Contained";
import { Notice } from "@/shared/Notice";
import { strings } from "@/shared/strings";
import { forgetOldMirrors } from "./draftMirror";
import { useOutbox, useOutboxState } from "./useOutbox";

// It shows formulas, which few of the pages that this stands on need.
const RefusedNotice = lazily(() => import("./RefusedNotice"));

const says = strings.label.outbox;

/** Sends what waits, on whatever page; shows what cannot be sent now, and what the server did not take. */
export default function OutboxNotice() {
  const { waiting, refused, trouble } = useOutboxState(useOutbox());
  useEffect(forgetOldMirrors, []);
  return (
    <>
      {trouble && (
        <Notice tone="unsure">
          <span>
            <strong>{says.offline(waiting.length)}</strong>
            {"status" in trouble && trouble.status !== 0 && ` · ${trouble.message}`}
          </span>
        </Notice>
      )}
      {refused.map((entry) => (
        <RefusedNotice key={entry.key} entry={entry} />
      ))}
    </>
  );
}
