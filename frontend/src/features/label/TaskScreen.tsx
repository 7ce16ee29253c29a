import { VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { Ending } from "./Ending";
import type { Command } from "./keymap";
import { answeredCount } from "./labelling";
import { ProblemPanel, type PanelProgress } from "./ProblemPanel";
import { ReasonDialog } from "./ReasonDialog";
import { StepList } from "./StepList";
import { SubmitBar } from "./SubmitBar";
import classes from "./TaskScreen.module.css";
import { useKeys } from "./useKeys";
import { useTask, type TaskState } from "./useTask";
import { useTools } from "./useTools";

type Dialog = "bad_problem" | "give_up" | null;

function lastChange({ labelling }: TaskState): string {
  const change = labelling.changes.at(-1);
  const answer = change && labelling.steps[change.step]?.answer;
  return answer ? strings.label.rated(change.step + 1, strings.ratings[answer]) : "";
}

function progressOf({ labelling, finish }: TaskState, all: number): PanelProgress {
  const done = answeredCount(labelling);
  return { says: strings.label.progress(done, all), percent: finish ? 100 : (100 * done) / Math.max(all, 1), activeMs: labelling.activeMs };
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
  const [, navigate] = useLocation();
  const tools = useTools({ assignment, steps: assignment.solution.steps, current: labelling.focus });

  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);

  const run = (command: Command) => {
    switch (command) {
      case "great": case "okay": case "bad": case "unsure":
        dispatch({ type: "answer", answer: command });
        break;
      case "next": dispatch({ type: "focus", step: labelling.focus + 1 }); break;
      case "previous": dispatch({ type: "focus", step: labelling.focus - 1 }); break;
      case "undo": dispatch({ type: "undo" }); break;
      case "note": setNoteOf(labelling.focus); break;
      case "submit": if (task.finish) task.submit(task.finish); break;
      case "bad_problem": case "give_up": setDialog(command); break;
      default: tools.run(command);
    }
  };
  useKeys(run);

  if (task.isLost) return <Ending kind="lost" detail={task.lostBecause} onAgain={onAgain} />;
  return (
    <div className={classes.screen}>
      <ProblemPanel assignment={assignment} work={task} progress={progressOf(task, assignment.solution.steps.length)}
        canUndo={labelling.changes.length > 0} onCommand={run}
        onRelease={() => task.release.mutate(undefined, { onSuccess: () => navigate("/") })} />
      <section className={classes.work} aria-label={strings.label.solution}>
        <StepList assignment={assignment} task={task} noteOf={noteOf} onNote={setNoteOf} />
        <SubmitBar task={task} onSubmit={() => run("submit")} />
      </section>
      <VisuallyHidden role="status" aria-live="polite">{lastChange(task)}</VisuallyHidden>
      {tools.element}
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
