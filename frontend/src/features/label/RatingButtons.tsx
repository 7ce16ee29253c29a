import type { Dispatch } from "react";
import { RatingIcon, ratingHint } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import type { Action, Answer } from "./labelling";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./useKeys";

const ANSWERS: readonly Answer[] = ["great", "okay", "bad", "unsure"];

interface Props {
  step: number;
  answer: Answer | null;
  dispatch: Dispatch<Action>;
}

export function RatingButtons({ step, answer, dispatch }: Props) {
  const keyOf = useKeyOf();
  return (
    <div className={classes.ratings} role="group" aria-label={strings.label.rateStep(step + 1)} data-tour="ratings">
      {ANSWERS.map((word) => (
        <button key={word} type="button" className={classes.rating} data-rating={word} aria-pressed={answer === word}
          title={ratingHint(word)}
          onClick={() => dispatch({ type: "answer", answer: word })}>
          <RatingIcon word={word} size={22} />
          <span>{strings.ratings[word]}</span>
          <kbd className={classes.key} aria-hidden>{keyOf(word)}</kbd>
        </button>
      ))}
    </div>
  );
}
