import { useEffect } from "react";
import { lazily } from "@/shared/page/Contained";
import { plural } from "@/shared/words/format";
import { Notice } from "@/shared/page/Loaded";
import { forgetOldRecords } from "./sending/record";
import { useSender, useSenderState } from "./sending/useSender";

// It shows formulas, which few of the pages that this stands on need.
const RefusedNotice = lazily(() => import("./RefusedNotice"));

/** Sends what waits, on whatever page; shows what cannot be sent now, and what the server did not take. */
export default function SenderNotice() {
  const sender = useSender();
  const { waiting, refused, trouble } = useSenderState(sender);
  useEffect(() => sender.start(), [sender]);
  useEffect(forgetOldRecords, []);
  return (
    <>
      {trouble && (
        <Notice tone="unsure">
          <span>
            <strong>Offline: {plural(waiting.length, "submission")} waiting</strong>
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
