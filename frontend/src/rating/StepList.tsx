import { Fragment, memo, type ReactNode } from "react";
import type { Turn } from "@/api/types";
import { useNewest } from "@/shared/ui/useNewest";
import type { RatingWord } from "@/shared/words/ratings";
import { comparedWith, nameOf } from "./words/names";
import { StepCard, type StepPlace } from "./StepCard";
import classes from "./TaskScreen.module.css";
import type { Action } from "./trajectory/moves";
import { FIRST, isSame } from "./trajectory/places";
import { firstBad, frontier, type Trajectory } from "./trajectory/trajectory";

interface Props {
  trajectory: Trajectory;
  dispatch: (action: Action) => void;
  /** Changes with every rating. */
  revision: unknown;
  isComparing: boolean;
  later?: "dimmed" | "hidden" | "shown";
  /** Of a trace: the parts of each step, and the steps of which all is unfolded. */
  turns?: readonly Turn[] | null | undefined;
  opened?: ReadonlySet<number>;
  /** Whose note is being written; without it, there are no notes. */
  noteOf?: number | null;
  onWriteNote?: (step: number | null) => void;
  /** In a step's card. */
  inside?: ((step: number, answer: RatingWord | null) => ReactNode) | undefined;
  /** After the first Bad step. */
  after?: ((bad: number) => ReactNode) | undefined;
}

/** From here on, the browser lays out those that come into view. */
const MANY = 40;

/** The steps of a solution, as far as they are shown. A trace has hundreds: they are gone through only when they change. */
export const StepList = memo(function StepList(props: Props) {
  const { trajectory, dispatch, revision, isComparing, later = "shown", noteOf, onWriteNote, inside, after } = props;
  const { turns, opened } = props;
  const { places, at, focus } = trajectory;
  const bad = firstBad(trajectory);
  const isOpen = bad === null || trajectory.asked.allSteps === true;
  const end = frontier(trajectory);
  const shown = later === "hidden" ? places.slice(0, end + 1) : places;
  const hidden = places.length - shown.length;
  const onSelect = useNewest((step: number) => dispatch({ type: "focus", step }));
  const onNote = useNewest((step: number, note: string) => dispatch({ type: "note", step, note }));

  const standing = (step: number): StepPlace => {
    if (step === at && isSame(focus, FIRST)) return "current";
    if (step <= end) return "reached";
    return isOpen ? "ahead" : "unlabelled";
  };

  return (
    <ol className={classes.steps} data-later={later} data-is-long={shown.length > MANY || undefined}>
      {shown.map(({ offered: [own] }, step) => {
        const place = standing(step);
        const isCurrent = place === "current";
        return (
          <Fragment key={step}>
            <StepCard
              index={step}
              name={nameOf(trajectory, step, FIRST)}
              of={places.length}
              text={own?.text ?? ""}
              turn={turns?.[step]}
              isOpen={opened?.has(step) ?? false}
              answer={own?.answer ?? null}
              place={place}
              revision={isCurrent && revision}
              against={isCurrent && isComparing ? comparedWith(trajectory) : null}
              onSelect={onSelect}
              note={own?.note}
              isWritingNote={noteOf === step}
              onNote={onNote}
              onWriteNote={onWriteNote}
            >
              {inside?.(step, own?.answer ?? null)}
            </StepCard>
            {step === bad && after?.(step)}
          </Fragment>
        );
      })}
      {hidden > 0 && isOpen && (
        <li className={classes.endNote}>
          {hidden === 1 ? "One more step, shown when it is reached." : `${hidden} more steps, shown one by one.`}
        </li>
      )}
      {onWriteNote && !isOpen && end < places.length - 1 && (
        <li className={classes.endNote}>Steps after the first bad one are not labelled.</li>
      )}
    </ol>
  );
});
