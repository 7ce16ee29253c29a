import { memo, useEffect, useRef, type Dispatch } from "react";
import { afterPaint, isTypingElsewhere } from "@/shared/afterPaint";
import { RatingTag, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import type { Action } from "./labelling";
import { NoteField } from "./NoteField";
import { StepText } from "./StepText";
import classes from "./TaskScreen.module.css";

const says = strings.label;

export type StepPlace = "current" | "reached" | "ahead" | "unlabelled";

interface Props {
  step: number;
  text: string;
  answer: RatingWord | null;
  note: string;
  place: StepPlace;
  isWritingNote: boolean;
  /** Changes with every rating, so that the card in focus takes the keyboard back after a click. */
  revision: number;
  /** The step before it, to be compared with. */
  before?: string;
  dispatch: Dispatch<Action>;
  onNote: (step: number | null) => void;
}

export const StepCard = memo(function StepCard(props: Props) {
  const { step, text, before, answer, place, revision } = props;
  const card = useRef<HTMLLIElement>(null);
  const isCurrent = place === "current";

  useEffect(() => {
    if (!isCurrent) return;
    return afterPaint(() => {
      if (!isTypingElsewhere()) card.current?.focus({ preventScroll: true });
      card.current?.scrollIntoView({ block: "nearest" });
    });
  }, [isCurrent, revision]);

  return (
    <li
      ref={card}
      className={classes.step}
      data-place={place}
      data-rating={place === "unlabelled" ? undefined : answer}
      aria-current={isCurrent ? "step" : undefined}
      data-tour={isCurrent ? "step" : undefined}
      tabIndex={-1}
    >
      <div className={classes.stepHead}>
        <span className={classes.stepNumber}>{says.step(step + 1)}</span>
        <StepTag {...props} />
      </div>
      <div className={classes.stepText}>
        <StepText text={text} before={before} />
      </div>
      <StepNote {...props} />
    </li>
  );
});

function StepTag({ step, answer, place, dispatch }: Props) {
  if (place === "unlabelled") return <span className={classes.quiet}>{says.notLabelled}</span>;
  if (answer === null) return null;
  if (place === "current") return <RatingTag word={answer} />;
  return (
    <button
      type="button"
      className={classes.tagButton}
      onClick={() => dispatch({ type: "focus", step })}
      aria-label={says.goTo(step + 1, strings.ratings[answer])}
    >
      <RatingTag word={answer} />
    </button>
  );
}

function StepNote({ step, note, place, isWritingNote, dispatch, onNote }: Props) {
  if (place === "unlabelled" || place === "ahead") return null;
  if (isWritingNote) {
    return (
      <NoteField
        name={says.note(step + 1)}
        note={note}
        onNote={(text) => dispatch({ type: "note", step, note: text })}
        onClose={() => onNote(null)}
      />
    );
  }
  return (
    note !== "" && (
      <button type="button" className={classes.note} onClick={() => onNote(step)}>
        {note}
      </button>
    )
  );
}
