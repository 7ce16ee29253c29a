import { memo, type ComponentProps, type ReactNode } from "react";
import { CardTools } from "./CardTools";
import type { Command } from "./keys/keymap";
import { RatingButtons } from "./RatingButtons";
import reading from "./reading.module.css";
import classes from "./TaskScreen.module.css";

interface Props extends Omit<ComponentProps<typeof RatingButtons>, "onRate"> {
  name: string;
  isComparing: boolean;
  hasNote?: boolean;
  canUndo?: boolean;
  /** Where there is one column: more of what is under the thumb. */
  more?: ReactNode;
  /** Ratings and tools, by the names of their keys. */
  onCommand: (command: Command) => void;
}

/** What can be done with what is in focus. It stays where it is from one to the next, under the eye and the pointer. */
export const RatingDock = memo(function RatingDock({
  name,
  isComparing,
  hasNote = true,
  canUndo,
  more,
  onCommand,
  ...buttons
}: Props) {
  return (
    <div className={reading.dock}>
      <div className={reading.dockHead}>
        <span className={classes.stepNumber} aria-hidden>
          {name}
        </span>
        {more}
        <CardTools hasNote={hasNote} canUndo={canUndo} isComparing={isComparing} onTool={onCommand} />
      </div>
      <RatingButtons {...buttons} onRate={onCommand} />
    </div>
  );
});
