import { memo, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeys, useKeysOn } from "@/rating/keys/useKeys";
import { nameOfKind } from "@/rating/mistakes/mistakes";
import { meaningsOf, MeaningsOfRatings } from "@/rating/words/meanings";
import { lastChange } from "@/rating/words/names";
import classes from "@/rating/TaskScreen.module.css";
import type { Trajectory } from "@/rating/trajectory/trajectory";
import { lazyDialog } from "@/shared/page/Contained";
import { messageOf } from "@/shared/page/Loaded";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { RestOfParts, WhenOpened } from "@/shared/trace/rest";
import { strings } from "@/shared/words/strings";
import { isExit, type GivingUp } from "@/shared/words/waysOut";
import { useNewest } from "@/shared/ui/useNewest";
import { loadPartOf } from "@/work/claim";
import { Ending } from "../flow/Ending";
import { ProblemPanel, type PanelProgress } from "./ProblemPanel";
import type { Desk } from "./useDesk";

const ResultDialog = lazyDialog(() => import("../asking/ResultDialog"));
const ReasonDialog = lazyDialog(() => import("../asking/ReasonDialog"));

export interface TaskProps {
  assignment: Assignment;
  onAgain: () => void;
}

interface Props extends Pick<TaskProps, "onAgain"> {
  desk: Desk;
  progressOf: (trajectory: Trajectory) => PanelProgress;
  /** For screen readers, after the last change. */
  said?: string;
  /** The outline of a trace. */
  outline?: ReactNode;
  children: ReactNode;
}

/** The frame around the work on every labelling screen: the problem, the keys, the dialogs, the ways out. */
export function TaskFrame({ desk, progressOf, said = "", outline, onAgain, children }: Props) {
  const { assignment, task, tools } = desk;
  const { work, settled } = task;
  const [dialog, setDialog] = useState<GivingUp | null>(null);
  const [, navigate] = useLocation();
  const meanings = useMemo(() => meaningsOf(assignment.phase), [assignment.phase]);
  const progress = useMemo(() => progressOf(settled), [progressOf, settled]);

  // Before what is in focus scrolls itself into view.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const loadPart = useMemo(() => loadPartOf(assignment.id), [assignment.id]);

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
  const bindings = useKeysOn(assignment);
  const taken = desk.isExplaining ? assignment.phase.error_kinds.map(({ key }) => key) : [];
  useKeys(
    run,
    bindings.map((binding) => ({ ...binding, keys: binding.keys.filter((key) => !taken.includes(key)) })),
  );
  const kindNamed = (key: string) => nameOfKind(assignment.phase.error_kinds, key);
  const giveUp = (note: string) => {
    if (dialog !== null) task.submit(dialog, note);
    setDialog(null);
  };

  if (work.isLost) return <Ending kind="lost" detail={work.lostBecause} onAgain={onAgain} />;
  return (
    <MeaningsOfRatings value={meanings}>
      <div className={classes.screen}>
        <RestOfParts value={loadPart}>
          <ProblemPanel
            assignment={assignment}
            saveState={work.saveState}
            isReleasing={work.release.isPending}
            releaseError={work.release.error}
            progress={progress}
            canUndo={desk.canUndo}
            onCommand={run}
            onTour={tools.startTour}
            outline={outline}
          />
        </RestOfParts>
        <Work>
          <RestOfParts value={loadPart}>
            <WhenOpened value={desk.onOpened}>
              <MarkupOfTexts value={assignment.solution.markup}>{children}</MarkupOfTexts>
            </WhenOpened>
          </RestOfParts>
        </Work>
        <Said text={`${lastChange(settled, kindNamed)} ${said}`.trim()} />
        {tools.element}
        {dialog && (
          <ReasonDialog reason={dialog} before={assignment.labelling} onClose={() => setDialog(null)} onSend={giveUp} />
        )}
        {desk.result.isAsking && task.finish && (
          <ResultDialog
            before={assignment.labelling?.result ?? ""}
            onClose={desk.result.onClose}
            onSend={(result) => task.finish && task.submit(task.finish, "", result)}
          />
        )}
      </div>
    </MeaningsOfRatings>
  );
}

/** Sets `data-is-typing` while one of its text areas is in focus. Not `:has`, which restyles every step at each move. */
function Work({ children }: { children: ReactNode }) {
  const [isTyping, setTyping] = useState(false);
  return (
    <section
      className={classes.work}
      aria-label={strings.label.solution}
      data-is-typing={isTyping || undefined}
      onFocus={({ target }) => setTyping(target.matches("textarea"))}
      onBlur={() => setTyping(false)}
    >
      {children}
    </section>
  );
}

const Said = memo(function Said({ text }: { text: string }) {
  return (
    <div className="unseen" role="status" aria-live="polite">
      {text}
    </div>
  );
});
