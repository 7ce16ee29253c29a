import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { firstBad, frontier } from "./labelling";
import { StepCard, type StepPlace } from "./StepCard";
import classes from "./TaskScreen.module.css";
import type { TaskState } from "./useTask";

interface Props {
  assignment: Assignment;
  task: TaskState;
  noteOf: number | null;
  onNote: (step: number | null) => void;
}

export function StepList({ assignment, task, noteOf, onNote }: Props) {
  const { labelling, dispatch } = task;
  const end = frontier(labelling);
  const hasEnded = firstBad(labelling) !== null;

  const placeOf = (step: number): StepPlace => {
    if (step === labelling.focus) return "current";
    if (step <= end) return "reached";
    return hasEnded ? "unlabelled" : "ahead";
  };

  return (
    <ol className={classes.steps}>
      {assignment.solution.steps.map((text, step) => (
        <StepCard
          key={step}
          step={step}
          text={text}
          answer={labelling.steps[step]?.answer ?? null}
          note={labelling.steps[step]?.note ?? ""}
          place={placeOf(step)}
          isWritingNote={noteOf === step}
          revision={labelling.history.length}
          dispatch={dispatch}
          onNote={onNote}
        />
      ))}
      {hasEnded && end < assignment.solution.steps.length - 1 && (
        <li className={classes.endNote}>{strings.label.notLabelledWhy}</li>
      )}
    </ol>
  );
}
