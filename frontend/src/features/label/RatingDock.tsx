import { memo } from "react";
import { RatingIcon, ratingHint } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { ANSWERS, type Answer } from "./answers";
import { CardTools } from "./CardTools";
import type { Command } from "./keymap";
import reading from "./reading.module.css";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./useKeys";

interface Props {
  step: number;
  answer: Answer | null;
  isComparing: boolean;
  /** Ratings and tools, by the names of their keys. */
  onCommand: (command: Command) => void;
}

/** What can be done with the step in focus. It stays where it is from step to step, under the eye and the pointer. */
export const RatingDock = memo(function RatingDock({ step, answer, isComparing, onCommand }: Props) {
  const keyOf = useKeyOf();
  return (
    <div className={reading.dock}>
      <div className={reading.dockHead}>
        <span className={classes.stepNumber} aria-hidden>{strings.label.step(step + 1)}</span>
        <CardTools hasNote isComparing={isComparing} onTool={onCommand} />
      </div>
      <div className={classes.ratings} role="group" aria-label={strings.label.rateStep(step + 1)} data-tour="ratings">
        {ANSWERS.map((word) => (
          <button key={word} type="button" className={classes.rating} data-rating={word} aria-pressed={answer === word}
            title={ratingHint(word)} onClick={() => onCommand(word)}>
            <RatingIcon word={word} size={22} />
            <span>{strings.ratings[word]}</span>
            <kbd className={classes.key} aria-hidden>{keyOf(word)}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
});
