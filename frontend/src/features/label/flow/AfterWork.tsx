import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Recent } from "@/api/types";
import { KeyButton } from "@/rating/keys/KeyButton";
import { useKeys } from "@/rating/keys/useKeys";
import { duration, plural } from "@/shared/words/format";
import { phasesQuery, progressQuery } from "@/shared/session/phases";
import { strings } from "@/shared/words/strings";
import { ButtonLink } from "@/shared/ui/Button";
import { recentQuery } from "@/work/claim";
import { obstacle } from "@/work/phases";
import classes from "../LabelPage.module.css";
import HistoryDialog from "./HistoryDialog";

/** Shown when a phase has nothing left to label: today's work, the last submissions, and where to go on. */
export default function AfterWork({ phase }: { phase: string }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const { data: phases = [], isLoading } = useQuery(phasesQuery);
  const progress = useQuery(progressQuery(phase));
  const recent = useQuery(recentQuery(phase));
  const next = phases.find((other) => other.id !== phase && obstacle(other) === null);
  useKeys((command) => {
    if (command === "history") setHistoryOpen(true);
  });
  if (isLoading || progress.isLoading || recent.isLoading) return null; // at once, so that no button moves
  return (
    <>
      <Today tasks={progress.data?.today ?? 0} recent={recent.data ?? []} />
      <div className="row">
        {next && (
          <ButtonLink href={`/label/${next.id}`} className={classes.named ?? ""}>
            {`Go on in “${next.name}”`}
          </ButtonLink>
        )}
        <KeyButton command="history" look="plain" onClick={() => setHistoryOpen(true)}>
          {strings.label.toolNames.history}
        </KeyButton>
        {phases.find(({ id }) => id === phase)?.compares && (
          <ButtonLink href={`/label/${phase}/differences`} look="plain">
            Where you differed
          </ButtonLink>
        )}
      </div>
      {isHistoryOpen && <HistoryDialog phase={phase} onClose={() => setHistoryOpen(false)} />}
    </>
  );
}

function isToday(time: string | null | undefined): boolean {
  return new Date(time ?? 0).toDateString() === new Date().toDateString();
}

/** Today's tasks, with the active time if all of them are among the last submissions, which it is summed from. */
function Today({ tasks, recent }: { tasks: number; recent: readonly Recent[] }) {
  if (tasks === 0) return null;
  const rows = recent.filter(({ submitted_at }) => isToday(submitted_at));
  const ms = rows.reduce((sum, { active_ms }) => sum + (active_ms ?? 0), 0);
  const time = rows.length === tasks && ms > 0 ? `, ${duration(ms)} of active time` : "";
  return <p>{`Today: ${plural(tasks, "task")}${time}.`}</p>;
}
