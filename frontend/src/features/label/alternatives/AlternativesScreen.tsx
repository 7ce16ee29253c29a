import { VisuallyHidden } from "@mantine/core";
import { useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { Ending } from "../Ending";
import type { Command } from "../keymap";
import { ProblemPanel, type PanelProgress } from "../ProblemPanel";
import { ReasonDialog } from "../ReasonDialog";
import classes from "../TaskScreen.module.css";
import { useKeys } from "../useKeys";
import { useRecords } from "../useRecords";
import { useTools } from "../useTools";
import { CurrentStep } from "./CurrentStep";
import { candidatesOf, stopsOf } from "./places";
import { StepsBehind } from "./StepsBehind";
import { TrajectoryBar } from "./TrajectoryBar";
import { useTrajectory, type TrajectoryTask } from "./useTrajectory";
import { lastChange } from "./words";

const says = strings.label;

function progressOf({ trajectory, place, finish }: TrajectoryTask): PanelProgress {
  const all = place?.offered.length ?? 0;
  const done = place?.offered.filter(({ answer }) => answer !== null).length ?? 0;
  return {
    says: says.trajectory.progress(trajectory.at + 1, done, all),
    percent: finish ? 100 : (100 * done) / Math.max(all, 1),
    activeMs: trajectory.activeMs,
  };
}

interface Props {
  assignment: Assignment;
  onAgain: () => void;
}

export default function AlternativesScreen({ assignment, onAgain }: Props) {
  const task = useTrajectory(assignment);
  const { trajectory, dispatch, place, path, finish, work } = task;
  const [dialog, setDialog] = useState<"bad_problem" | "give_up" | null>(null);
  const [noteOf, setNoteOf] = useState<number | null>(null);
  const [, navigate] = useLocation();
  const focused = place && candidatesOf(place)[trajectory.focus];
  const tools = useTools({ assignment, steps: focused ? [...path, focused.text] : path, current: focused ? path.length : path.length - 1 });

  const records = useRecords(assignment);

  // Before the completion in focus scrolls itself into view.
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const run = (command: Command) => {
    switch (command) {
      case "great": case "okay": case "bad": case "unsure":
        dispatch({ type: "answer", index: trajectory.focus, answer: command });
        break;
      case "next": dispatch({ type: "focus", index: trajectory.focus + 1 }); break;
      case "previous": dispatch({ type: "focus", index: trajectory.focus - 1 }); break;
      case "choose": dispatch({ type: "choose", index: trajectory.focus }); break;
      case "write": dispatch({ type: "write", text: place?.writing?.text ?? place?.own?.text ?? "" }); break;
      case "undo": dispatch({ type: "undo" }); break;
      case "note": if (focused) setNoteOf(trajectory.focus); break;
      case "submit": if (finish) task.submit(finish); else dispatch({ type: "go_on" }); break;
      case "bad_problem": case "give_up": setDialog(command); break;
      default: tools.run(command); records.run(command);
    }
  };
  useKeys(run);

  if (work.isLost) return <Ending kind="lost" detail={work.lostBecause} onAgain={onAgain} />;
  const stops = stopsOf(trajectory);
  const reopen = (step: number) => dispatch({ type: "reopen", step });
  return (
    <div className={classes.screen}>
      <ProblemPanel assignment={assignment} work={work} progress={progressOf(task)} canUndo={trajectory.changes.length > 0} onCommand={run}
        onRelease={() => work.release.mutate(undefined, { onSuccess: () => navigate("/") })} onTour={() => tools.startTour()} />
      <section className={classes.work} aria-label={says.solution}>
        <StepsBehind stops={stops.slice(0, trajectory.at)} from={0} onReopen={reopen} />
        <CurrentStep key={trajectory.at} task={task} before={tools.isComparing ? path.at(-1) : undefined} noteOf={noteOf} onWriteNote={setNoteOf} onCommand={run} />
        <StepsBehind stops={stops.slice(trajectory.at + 1)} from={trajectory.at + 1} onReopen={reopen} />
        <TrajectoryBar task={task} onCommand={run} />
      </section>
      <VisuallyHidden role="status" aria-live="polite">{lastChange(trajectory)}</VisuallyHidden>
      {tools.element}
      {records.element}
      <ReasonDialog
        reason={dialog}
        onClose={() => setDialog(null)}
        onSend={(note) => {
          if (dialog !== null) task.submit(dialog, note);
          setDialog(null);
        }}
      />
    </div>
  );
}
