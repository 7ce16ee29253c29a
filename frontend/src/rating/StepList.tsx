import { Fragment, memo, type ReactNode } from "react";
import type { Turn } from "@/api/types";
import { useNewest } from "@/shared/ui/useNewest";
import type { RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { comparedWith, type Compared } from "./words/names";
import { StepCard, type StepPlace } from "./StepCard";
import classes from "./TaskScreen.module.css";
import type { Action } from "./trajectory/moves";
import { FIRST, isSame, type Place } from "./trajectory/places";
import { firstBad, frontier, type Trajectory } from "./trajectory/trajectory";

interface Props {
  trajectory: Trajectory;
  dispatch: (action: Action) => void;
  /** Changes with every rating. */
  revision: unknown;
  isComparing: boolean;
  later?: "dimmed" | "hidden" | "shown";
  /** The parts of each step of a trace; `opened`: the steps that are fully unfolded. */
  turns?: readonly Turn[] | null | undefined;
  opened?: ReadonlySet<number>;
  /** The step whose note is being written; without `onWriteNote`, there are no notes. */
  noteOf?: number | null;
  onWriteNote?: (step: number | null) => void;
  /** Shown inside a step's card. */
  inside?: ((step: number, answer: RatingWord | null) => ReactNode) | undefined;
  /** Shown after the first Bad step. */
  after?: ((bad: number) => ReactNode) | undefined;
}

/** The number of steps beyond which the browser lays out only those that come into view. */
const MANY = 40;
/** The number of steps that are rendered together when one of them has changed. */
const STRETCH = 20;

/** The shown steps of a solution. A trace has hundreds: only stretches that changed are rendered again. */
export const StepList = memo(function StepList(props: Props) {
  const { trajectory, dispatch, revision, isComparing, later = "shown", turns, opened, noteOf, onWriteNote } = props;
  const { places, at, focus } = trajectory;
  const bad = firstBad(trajectory);
  const isOpen = bad === null || trajectory.asked.allSteps === true;
  const end = frontier(trajectory);
  const shown = later === "hidden" ? places.slice(0, end + 1) : places;
  const hidden = places.length - shown.length;
  const onSelect = useNewest((step: number) => dispatch({ type: "focus", step }));
  const onNote = useNewest((step: number, note: string) => dispatch({ type: "note", step, note }));
  const starts = Array.from({ length: Math.ceil(shown.length / STRETCH) }, (_, number) => number * STRETCH);

  return (
    <ol className={classes.steps} data-later={later} data-is-long={shown.length > MANY || undefined}>
      {starts.map((from) => {
        const to = Math.min(from + STRETCH, shown.length);
        const among = (step: number | null | undefined) => step != null && from <= step && step < to;
        const isCurrent = among(at) && isSame(focus, FIRST);
        return (
          <Stretch
            key={from}
            from={from}
            places={shown.slice(from, to)}
            of={places.length}
            current={isCurrent ? at : null}
            reached={Math.max(Math.min(end, to - 1), from - 1)}
            isOpen={isOpen}
            bad={among(bad) ? bad : null}
            turns={turns}
            opened={opened}
            revision={isCurrent && revision}
            against={isCurrent && isComparing ? comparedWith(trajectory) : null}
            noteOf={among(noteOf) ? noteOf : null}
            onSelect={onSelect}
            onNote={onNote}
            onWriteNote={onWriteNote}
            inside={props.inside}
            after={props.after}
          />
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

/** The props of a stretch of cards; a step that is not among them is `null`. */
interface StretchProps extends Pick<Props, "turns" | "opened" | "noteOf" | "inside" | "after" | "revision"> {
  from: number;
  places: readonly Place[];
  of: number;
  current: number | null;
  /** The last step that may be rated. */
  reached: number;
  isOpen: boolean;
  bad: number | null;
  against: Compared | null;
  onSelect: (step: number) => void;
  onNote: (step: number, note: string) => void;
  onWriteNote: Props["onWriteNote"];
}

const Stretch = memo(function Stretch(props: StretchProps) {
  const { from, current, reached, revision, against, inside, after } = props;
  const standing = (step: number): StepPlace => {
    if (step === current) return "current";
    if (step <= reached) return "reached";
    return props.isOpen ? "ahead" : "unlabelled";
  };

  return props.places.map(({ offered: [own] }, number) => {
    const step = from + number;
    return (
      <Fragment key={step}>
        <StepCard
          index={step}
          name={strings.label.step(step + 1)}
          of={props.of}
          text={own?.text ?? ""}
          turn={props.turns?.[step]}
          isOpen={props.opened?.has(step) ?? false}
          answer={own?.answer ?? null}
          place={standing(step)}
          revision={step === current && revision}
          against={step === current ? against : null}
          onSelect={props.onSelect}
          note={own?.note}
          isWritingNote={props.noteOf === step}
          onNote={props.onNote}
          onWriteNote={props.onWriteNote}
        >
          {inside?.(step, own?.answer ?? null)}
        </StepCard>
        {step === props.bad && after?.(step)}
      </Fragment>
    );
  });
}, isSameStretch);

function isSameStretch(before: StretchProps, now: StretchProps): boolean {
  const names = Object.keys(now) as (keyof StretchProps)[];
  const areSamePlaces =
    before.places.length === now.places.length && before.places.every((place, number) => place === now.places[number]);
  return areSamePlaces && names.every((name) => name === "places" || before[name] === now[name]);
}
