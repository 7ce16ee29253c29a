import { VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import type { Answer } from "./answers";
import { valueOf, type Progress } from "./beside";
import { letterOf } from "./CompletionCard";
import { Ending } from "./Ending";
import type { Command } from "./keymap";
import { answeredCount, besideBad, firstBad } from "./labelling";
import { ProblemPanel, type PanelProgress } from "./ProblemPanel";
import { ReasonDialog } from "./ReasonDialog";
import { StepList } from "./StepList";
import { SubmitBar } from "./SubmitBar";
import classes from "./TaskScreen.module.css";
import { useKeys } from "./useKeys";
import { useRecords } from "./useRecords";
import { useTask, type TaskState } from "./useTask";
import { useTools } from "./useTools";

const says = strings.label;
type Dialog = "bad_problem" | "give_up" | null;

/** For screen readers: what the last key did. */
function lastChange({ labelling }: TaskState): string {
  const change = labelling.changes.at(-1);
  if (change === undefined) return "";
  const { step, part } = change;
  const value = part === null ? labelling.steps[step]?.answer : valueOf(besideBad(labelling), part);
  if (value == null) return "";
  const word = part?.kind === "progress" ? says.beside.progressOf[value as Progress] : strings.ratings[value as Answer];
  if (part === null) return says.rated(step + 1, word);
  const names = { alternatives: says.beside.alternative, critiques: says.beside.critique, progress: () => says.beside.progress };
  return says.beside.said(names[part.kind](letterOf(part.index)), word);
}

function progressOf({ labelling, finish }: TaskState, all: number): PanelProgress {
  const done = answeredCount(labelling);
  return { says: says.progress(done, all), percent: finish ? 100 : (100 * done) / Math.max(all, 1), activeMs: labelling.activeMs };
}

interface Props {
  assignment: Assignment;
  onAgain: () => void;
}

export function TaskScreen({ assignment, onAgain }: Props) {
  const task = useTask(assignment);
  const { labelling, dispatch } = task;
  const [dialog, setDialog] = useState<Dialog>(null);
  const [noteOf, setNoteOf] = useState<number | null>(null);
  const [isWriting, setWriting] = useState(false);
  const [, navigate] = useLocation();
  const tools = useTools({ assignment, steps: assignment.solution.steps, current: labelling.focus });

  const records = useRecords(assignment);

  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const run = (command: Command) => {
    switch (command) {
      case "great": case "okay": case "bad": case "unsure":
        dispatch({ type: "answer", answer: command });
        break;
      case "next": dispatch({ type: "move", by: 1 }); break;
      case "previous": dispatch({ type: "move", by: -1 }); break;
      case "undo": dispatch({ type: "undo" }); break;
      case "note": setNoteOf(labelling.focus); break;
      case "submit": if (task.finish) task.submit(task.finish); break;
      case "bad_problem": case "give_up": setDialog(command); break;
      case "write": setWriting(labelling.asked.critiques && firstBad(labelling) !== null); break;
      default: tools.run(command); records.run(command);
    }
  };
  useKeys(run);

  if (task.isLost) return <Ending kind="lost" detail={task.lostBecause} onAgain={onAgain} />;
  return (
    <div className={classes.screen}>
      <ProblemPanel assignment={assignment} work={task} progress={progressOf(task, assignment.solution.steps.length)}
        canUndo={labelling.changes.length > 0} onCommand={run} onTour={() => tools.startTour()}
        onRelease={() => task.release.mutate(undefined, { onSuccess: () => navigate("/") })} />
      <section className={classes.work} aria-label={says.solution}>
        <StepList assignment={assignment} task={task} tools={tools} noteOf={noteOf} onNote={setNoteOf} isWriting={isWriting} onWriting={setWriting} />
        <SubmitBar task={task} onSubmit={() => run("submit")} />
      </section>
      <VisuallyHidden role="status" aria-live="polite">{lastChange(task)}</VisuallyHidden>
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
