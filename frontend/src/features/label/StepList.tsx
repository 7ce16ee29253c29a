import { Fragment } from "react";
import { comparedWith, nameOf } from "@/rating/names";
import { StepCard, type StepPlace } from "@/rating/StepCard";
import classes from "@/rating/TaskScreen.module.css";
import { FIRST, isSame } from "@/rating/trajectory/places";
import { firstBad, frontier } from "@/rating/trajectory/trajectory";
import { lazily } from "@/shared/Contained";
import { strings } from "@/shared/strings";
import { useNewest } from "@/shared/useNewest";
import type { Desk } from "./useDesk";

const BesidePanels = lazily(() => import("./BesidePanels"));

export function StepList({ desk }: { desk: Desk }) {
  const { assignment, tools, noteOf, onWriteNote } = desk;
  const { trajectory, dispatch } = desk.task;
  const { later_steps } = assignment.phase;
  const { places, at, focus, asked } = trajectory;
  const bad = firstBad(trajectory);
  const end = frontier(trajectory);
  const shown = later_steps === "hidden" ? places.slice(0, end + 1) : places;
  const asksMore = Object.values(asked).includes(true);
  const onSelect = useNewest((step: number) => dispatch({ type: "focus", step }));
  const onNote = useNewest((step: number, note: string) => dispatch({ type: "note", step, note }));

  const standing = (step: number): StepPlace => {
    if (step === at && isSame(focus, FIRST)) return "current";
    if (step <= end) return "reached";
    return bad === null ? "ahead" : "unlabelled";
  };

  return (
    <ol className={classes.steps} data-later={later_steps}>
      {shown.map(({ offered: [own] }, step) => {
        const place = standing(step);
        const isCurrent = place === "current";
        return (
          <Fragment key={step}>
            <StepCard
              index={step}
              name={nameOf(trajectory, step, FIRST)}
              text={own?.text ?? ""}
              answer={own?.answer ?? null}
              place={place}
              revision={isCurrent && trajectory.history.length}
              against={isCurrent && tools.isComparing ? comparedWith(trajectory) : null}
              onSelect={onSelect}
              note={own?.note ?? ""}
              isWritingNote={noteOf === step}
              onNote={onNote}
              onWriteNote={onWriteNote}
            />
            {step === bad && asksMore && <BesidePanels key={assignment.id} desk={desk} bad={bad} />}
          </Fragment>
        );
      })}
      {shown.length < places.length && bad === null && (
        <li className={classes.endNote}>{strings.label.hiddenSteps(places.length - shown.length)}</li>
      )}
      {bad !== null && end < places.length - 1 && <li className={classes.endNote}>{strings.label.notLabelledWhy}</li>}
    </ol>
  );
}
