import { memo, useLayoutEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { useNewest } from "@/shared/useNewest";
import { Ending } from "./Ending";
import type { Command } from "./keymap";
import { ProblemPanel, type PanelProgress } from "./ProblemPanel";
import { ReasonDialog } from "./ReasonDialog";
import classes from "./TaskScreen.module.css";
import type { useAssignment } from "./useAssignment";
import { useKeys } from "./useKeys";
import { useRecords } from "./useRecords";
import type { Tools } from "./useTools";

export interface TaskProps {
  assignment: Assignment;
  onAgain: () => void;
}

interface Props extends TaskProps {
  work: Pick<ReturnType<typeof useAssignment>, "release" | "saveState" | "isLost" | "lostBecause">;
  progress: PanelProgress;
  canUndo: boolean;
  /** For screen readers: what the last key did. */
  said: string;
  tools: Tools;
  /** Carries out what belongs to the work itself and its tools. */
  onCommand: (command: Command) => void;
  onGiveUp: (reason: "bad_problem" | "give_up", note: string) => void;
  children: ReactNode;
}

/** What is around the work on every labelling screen: the problem, the keys, the dialogs, the ways out. */
export function TaskFrame({
  assignment,
  onAgain,
  work,
  progress,
  canUndo,
  said,
  tools,
  onCommand,
  onGiveUp,
  children,
}: Props) {
  const [dialog, setDialog] = useState<"bad_problem" | "give_up" | null>(null);
  const [, navigate] = useLocation();
  const records = useRecords(assignment);

  // Before what is in focus scrolls itself into view.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const run = useNewest((command: Command) => {
    if (command === "bad_problem" || command === "give_up") {
      setDialog(command);
      return;
    }
    onCommand(command);
    records.run(command);
  });
  useKeys(run);
  const giveBack = useNewest(() => work.release.mutate(undefined, { onSuccess: () => navigate("/") }));
  const closeDialog = useNewest(() => setDialog(null));
  const giveUp = useNewest((note: string) => {
    if (dialog !== null) onGiveUp(dialog, note);
    setDialog(null);
  });

  if (work.isLost) return <Ending kind="lost" detail={work.lostBecause} onAgain={onAgain} />;
  return (
    <div className={classes.screen}>
      <ProblemPanel
        assignment={assignment}
        saveState={work.saveState}
        isReleasing={work.release.isPending}
        releaseError={work.release.error}
        progress={progress}
        canUndo={canUndo}
        onCommand={run}
        onTour={tools.startTour}
        onRelease={giveBack}
      />
      <section className={classes.work} aria-label={strings.label.solution}>
        {children}
      </section>
      <Said text={said} />
      {tools.element}
      {records.element}
      <ReasonDialog reason={dialog} onClose={closeDialog} onSend={giveUp} />
    </div>
  );
}

const Said = memo(function Said({ text }: { text: string }) {
  return (
    <div className="unseen" role="status" aria-live="polite">
      {text}
    </div>
  );
});
