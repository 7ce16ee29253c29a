import { Fragment } from "react";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { BesidePanels } from "./BesidePanels";
import { firstBad, frontier } from "./labelling";
import { StepCard, type StepPlace } from "./StepCard";
import classes from "./TaskScreen.module.css";
import type { TaskState } from "./useTask";
import type { Tools } from "./useTools";

interface Props {
  assignment: Assignment;
  task: TaskState;
  tools: Pick<Tools, "isComparing">;
  noteOf: number | null;
  onNote: (step: number | null) => void;
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
}

export function StepList({ assignment, task, tools, noteOf, onNote, ...writing }: Props) {
  const { labelling, dispatch } = task;
  const { later_steps } = assignment.phase;
  const { steps } = assignment.solution;
  const bad = firstBad(labelling);
  const end = frontier(labelling);
  const shown = later_steps === "hidden" ? steps.slice(0, end + 1) : steps;
  const asksMore = Object.values(labelling.asked).includes(true);

  const placeOf = (step: number): StepPlace => {
    if (step === labelling.focus && labelling.part === null) return "current";
    if (step <= end) return "reached";
    return bad === null ? "ahead" : "unlabelled";
  };

  return (
    <ol className={classes.steps} data-later={later_steps}>
      {shown.map((text, step) => (
        <Fragment key={step}>
          <StepCard
            step={step}
            text={text}
            answer={labelling.steps[step]?.answer ?? null}
            note={labelling.steps[step]?.note ?? ""}
            place={placeOf(step)}
            isWritingNote={noteOf === step}
            revision={placeOf(step) === "current" ? labelling.history.length : 0}
            before={tools.isComparing && placeOf(step) === "current" ? steps[step - 1] : undefined}
            dispatch={dispatch}
            onNote={onNote}
          />
          {step === bad && asksMore && (
            <BesidePanels key={assignment.id} assignment={assignment} task={task} bad={bad} {...writing} />
          )}
        </Fragment>
      ))}
      {shown.length < steps.length && bad === null && (
        <li className={classes.endNote}>{strings.label.hiddenSteps(steps.length - shown.length)}</li>
      )}
      {bad !== null && end < steps.length - 1 && <li className={classes.endNote}>{strings.label.notLabelledWhy}</li>}
    </ol>
  );
}
