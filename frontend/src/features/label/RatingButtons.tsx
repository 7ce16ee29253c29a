import { Kbd } from "@mantine/core";
import type { Dispatch } from "react";
import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { keyOf } from "./keymap";
import type { Action, Answer } from "./labelling";
import classes from "./TaskScreen.module.css";

const ANSWERS: readonly Answer[] = ["great", "okay", "bad", "unsure"];

interface Props {
  step: number;
  answer: Answer | null;
  dispatch: Dispatch<Action>;
}

export function RatingButtons({ step, answer, dispatch }: Props) {
  return (
    <div className={classes.ratings} role="group" aria-label={strings.label.rateStep(step + 1)}>
      {ANSWERS.map((word) => (
        <button key={word} type="button" className={classes.rating} data-rating={word} aria-pressed={answer === word}
          onClick={() => dispatch({ type: "answer", answer: word })}>
          <RatingIcon word={word} size={22} />
          <span>{strings.ratings[word]}</span>
          <Kbd size="xs" className={classes.key} aria-hidden>{keyOf(word)}</Kbd>
        </button>
      ))}
    </div>
  );
}
