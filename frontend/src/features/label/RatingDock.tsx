import { memo } from "react";
import type { RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { CardTools } from "./CardTools";
import type { Command } from "./keymap";
import { RatingButtons } from "./RatingButtons";
import reading from "./reading.module.css";
import classes from "./TaskScreen.module.css";

interface Props {
  step: number;
  answer: RatingWord | null;
  isComparing: boolean;
  /** Ratings and tools, by the names of their keys. */
  onCommand: (command: Command) => void;
}

/** What can be done with the step in focus. It stays where it is from step to step, under the eye and the pointer. */
export const RatingDock = memo(function RatingDock({ step, answer, isComparing, onCommand }: Props) {
  return (
    <div className={reading.dock}>
      <div className={reading.dockHead}>
        <span className={classes.stepNumber} aria-hidden>
          {strings.label.step(step + 1)}
        </span>
        <CardTools hasNote isComparing={isComparing} onTool={onCommand} />
      </div>
      <RatingButtons label={strings.label.rateStep(step + 1)} given={answer} onRate={onCommand} />
    </div>
  );
});
