import { useCallback, useMemo, useState } from "react";
import { strings } from "@/shared/strings";
import { useNewest } from "@/shared/useNewest";
import type { RatingWord } from "@/shared/ratings";
import { valueOf, type Progress } from "./beside";
import { letterOf } from "./CompletionCard";
import type { Command } from "./keymap";
import { answeredCount, besideBad, finishReason, firstBad, type Labelling } from "./labelling";
import type { PanelProgress } from "./ProblemPanel";
import { RatingDock } from "./RatingDock";
import reading from "./reading.module.css";
import { StepList } from "./StepList";
import { SubmitBar } from "./SubmitBar";
import { TaskFrame, type TaskProps } from "./TaskFrame";
import { useTask } from "./useTask";
import { useTools } from "./useTools";

const says = strings.label;

/** For screen readers: what the last key did. */
function lastChange(labelling: Labelling): string {
  const change = labelling.changes.at(-1);
  if (change === undefined) return "";
  const { step, part } = change;
  const value = part === null ? labelling.steps[step]?.answer : valueOf(besideBad(labelling), part);
  if (value == null) return "";
  const word =
    part?.kind === "progress" ? says.beside.progressOf[value as Progress] : strings.ratings[value as RatingWord];
  if (part === null) return says.rated(step + 1, word);
  const names = {
    alternatives: says.beside.alternative,
    critiques: says.beside.critique,
    progress: () => says.beside.progress,
  };
  return says.beside.said(names[part.kind](letterOf(part.index)), word);
}

function progressOf(labelling: Labelling): PanelProgress {
  const done = answeredCount(labelling);
  const all = labelling.steps.length;
  return {
    says: says.progress(done, all),
    percent: finishReason(labelling) ? 100 : (100 * done) / Math.max(all, 1),
    activeMs: labelling.activeMs,
  };
}

export function TaskScreen({ assignment, onAgain }: TaskProps) {
  const task = useTask(assignment);
  const { labelling, settled, dispatch } = task;
  const { focus } = labelling;
  const progress = useMemo(() => progressOf(settled), [settled]);
  const [noteOf, setNoteOf] = useState<number | null>(null);
  const [isWriting, setWriting] = useState(false);
  const { steps } = assignment.solution;
  const tools = useTools({ assignment, steps, current: focus });

  const run = useNewest((command: Command) => {
    switch (command) {
      case "great":
      case "okay":
      case "bad":
      case "unsure":
        dispatch({ type: "answer", answer: command });
        break;
      case "next":
        dispatch({ type: "move", by: 1 });
        break;
      case "previous":
        dispatch({ type: "move", by: -1 });
        break;
      case "undo":
        dispatch({ type: "undo" });
        break;
      case "note":
        setNoteOf(focus);
        break;
      case "submit":
        if (task.finish) task.submit(task.finish);
        break;
      case "write":
        setWriting(labelling.asked.critiques && firstBad(labelling) !== null);
        break;
      default:
        tools.run(command);
    }
  });

  const submit = useCallback(() => run("submit"), [run]);

  return (
    <TaskFrame
      assignment={assignment}
      onAgain={onAgain}
      work={task}
      tools={tools}
      said={lastChange(settled)}
      progress={progress}
      canUndo={settled.changes.length > 0}
      onCommand={run}
      onGiveUp={task.submit}
    >
      <StepList
        assignment={assignment}
        task={task}
        tools={tools}
        noteOf={noteOf}
        onNote={setNoteOf}
        isWriting={isWriting}
        onWriting={setWriting}
      />
      <div className={reading.docks}>
        <SubmitBar labelling={settled} onSubmit={submit} />
        {settled.part === null && (
          <RatingDock
            step={settled.focus}
            answer={settled.steps[settled.focus]?.answer ?? null}
            isComparing={tools.isComparing}
            onCommand={run}
          />
        )}
      </div>
    </TaskFrame>
  );
}
