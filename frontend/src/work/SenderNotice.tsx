import { useEffect } from "react";
import { lazily } from "@/shared/page/Contained";
import { plural } from "@/shared/words/format";
import { isUnreachable } from "@/api/client";
import { messageOf, Notice } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";
import { forgetOldRecords } from "./sending/record";
import { useSender, useSenderState } from "./sending/useSender";

// Loaded only when shown: it draws formulas, which few pages need.
const RefusedNotice = lazily(() => import("./RefusedNotice"));

/** Sends waiting work from any page; shows what cannot be sent now, and what the server refused. */
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
            <strong>
              {isUnreachable(trouble) ? "Offline" : "Not sent yet"}: {plural(waiting.length, "submission")} waiting
            </strong>
            {!isUnreachable(trouble) && ` ${messageOf(trouble)} ${strings.keptHere}`}
          </span>
        </Notice>
      )}
      {refused.map((record) => (
        <RefusedNotice key={record.key} record={record} />
      ))}
    </>
  );
}
