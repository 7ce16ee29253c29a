import type { ReactNode } from "react";
import { comparedWith, nameOf } from "@/rating/words/names";
import { StepCard } from "@/rating/StepCard";
import classes from "@/rating/TaskScreen.module.css";
import { candidateAt, isSame, type Part } from "@/rating/trajectory/places";
import { placeOf } from "@/rating/trajectory/trajectory";
import type { RatingWord } from "@/shared/words/ratings";
import type { Desk } from "../task/useDesk";

interface Props {
  desk: Desk;
  label: string;
  step: number;
  parts: readonly Part[];
  words?: readonly RatingWord[];
  hasNotes?: boolean;
  /** True while an own step is being written: then no card is in focus. */
  isAway?: boolean;
  marks?: (part: Part) => ReactNode;
  /** Renders extra content in the card of a Bad one. */
  ofBad?: ((part: Part) => ReactNode) | undefined;
}

/** Completions of one step, or critiques of it, each with its rating. */
export function CandidateList(props: Props) {
  const { desk, label, step, parts, words, hasNotes = false, isAway = false, marks, ofBad } = props;
  const { task, tools, noteOf, onWriteNote } = desk;
  const { trajectory, dispatch } = task;
  const { history, changes, focus } = trajectory;
  const place = placeOf(trajectory, step);
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- Safari forgets that it is a list once its bullets are off
    <ol role="list" className={classes.steps} aria-label={label}>
      {parts.map((part) => {
        const candidate = candidateAt(place, part);
        if (candidate === undefined) return null;
        const isCurrent = !isAway && trajectory.at === step && isSame(part, focus);
        const isOwn = candidate === place.own;
        return (
          <StepCard
            key={part.index}
            index={part.index}
            name={nameOf(trajectory, step, part)}
            text={candidate.text}
            answer={isOwn ? null : candidate.answer}
            place={isCurrent ? "current" : "reached"}
            revision={isCurrent && `${history.length} ${changes.length}`}
            against={isCurrent && tools.isComparing ? comparedWith(trajectory) : null}
            onSelect={() => dispatch({ type: "part", part })}
            onRate={isOwn ? undefined : (_, answer) => dispatch({ type: "answer", part, answer })}
            words={words}
            note={candidate.note}
            isWritingNote={hasNotes && noteOf === part.index}
            onNote={hasNotes ? (index, note) => dispatch({ type: "note", step, index, note }) : undefined}
            onWriteNote={hasNotes ? onWriteNote : undefined}
            marks={marks?.(part)}
          >
            {candidate.answer === "bad" && ofBad?.(part)}
          </StepCard>
        );
      })}
    </ol>
  );
}
