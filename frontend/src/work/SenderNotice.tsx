import { useEffect } from "react";
import { lazily } from "@/shared/Contained";
import { Notice } from "@/shared/Notice";
import { forgetOldRecords } from "./record";
import { useSender, useSenderState } from "./useSender";

// It shows formulas, which few of the pages that this stands on need.
const RefusedNotice = lazily(() => import("./RefusedNotice"));

/** Sends what waits, on whatever page; shows what cannot be sent now, and what the server did not take. */
export default function SenderNotice() {
  const { waiting, refused, trouble } = useSenderState(useSender());
  useEffect(forgetOldRecords, []);
  return (
    <>
      {trouble && (
        <Notice tone="unsure">
          <span>
            <strong>{`Offline: ${waiting.length === 1 ? "1 submission" : `${waiting.length} submissions`} waiting`}</strong>
            {"status" in trouble && trouble.status !== 0 && ` · ${trouble.message}`}
          </span>
        </Notice>
      )}
      {refused.map((record) => (
        <RefusedNotice key={record.key} record={record} />
      ))}
    </>
  );
}
