import { memo, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeys, useKeysOn } from "@/rating/keys/useKeys";
import { lastChange } from "@/rating/names";
import classes from "@/rating/TaskScreen.module.css";
import type { Trajectory } from "@/rating/trajectory/trajectory";
import { lazily } from "@/shared/page/Contained";
import { messageOf } from "@/shared/page/Loaded";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { strings } from "@/shared/words/strings";
import { isExit, type GivingUp } from "@/shared/words/waysOut";
import { useNewest } from "@/shared/ui/useNewest";
import { Ending } from "../flow/Ending";
import { ProblemPanel, type PanelProgress } from "./ProblemPanel";
import type { Desk } from "./useDesk";

const ReasonDialog = lazily(() => import("../asking/ReasonDialog"));

export interface TaskProps {
  assignment: Assignment;
  onAgain: () => void;
}

interface Props extends Pick<TaskProps, "onAgain"> {
  desk: Desk;
  progressOf: (trajectory: Trajectory) => PanelProgress;
  /** For screen readers, after the last change. */
  said?: string;
  children: ReactNode;
}

/** What is around the work on every labelling screen: the problem, the keys, the dialogs, the ways out. */
export function TaskFrame({ desk, progressOf, said = "", onAgain, children }: Props) {
  const { assignment, task, tools } = desk;
  const { work, settled } = task;
  const [dialog, setDialog] = useState<GivingUp | null>(null);
  const [, navigate] = useLocation();
  const progress = useMemo(() => progressOf(settled), [progressOf, settled]);

  // Before what is in focus scrolls itself into view.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const run = useNewest((command: Command) => {
    if (!isExit(command)) desk.run(command);
    else if (command !== "skip" && command !== "give_back") setDialog(command);
    else if (!work.release.isPending)
      work.release.mutate(
        undefined,
        command === "skip"
          ? { onSuccess: onAgain, onError: (error) => tools.say(messageOf(error)) }
          : { onSuccess: () => navigate("/") },
      );
  });
  useKeys(run, useKeysOn(assignment));
  const giveUp = (note: string) => {
    if (dialog !== null) task.submit(dialog, note);
    setDialog(null);
  };

  if (work.isLost) return <Ending kind="lost" detail={work.lostBecause} onAgain={onAgain} />;
  return (
    <div className={classes.screen}>
      <ProblemPanel
        assignment={assignment}
        saveState={work.saveState}
        isReleasing={work.release.isPending}
        releaseError={work.release.error}
        progress={progress}
        canUndo={desk.canUndo}
        onCommand={run}
        onTour={tools.startTour}
      />
      <section className={classes.work} aria-label={strings.label.solution}>
        <MarkupOfTexts value={assignment.solution.markup}>{children}</MarkupOfTexts>
      </section>
      <Said text={`${lastChange(settled)} ${said}`.trim()} />
      {tools.element}
      {dialog && (
        <ReasonDialog reason={dialog} before={assignment.labelling} onClose={() => setDialog(null)} onSend={giveUp} />
      )}
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
