import { memo, type ComponentProps, type ReactNode } from "react";
import { strings } from "@/shared/words/strings";
import type { Command } from "./keys/keymap";
import { useKeyOf } from "./keys/useKeys";
import { RatingButtons } from "./RatingButtons";
import reading from "./reading.module.css";
import classes from "./TaskScreen.module.css";

interface Props extends Omit<ComponentProps<typeof RatingButtons>, "onRate"> {
  name: string;
  isComparing: boolean;
  /** True if a note can be added. */
  hasNote?: boolean;
  /** Adds an undo button to the one-column layout, disabled if false. */
  canUndo?: boolean;
  /** More controls, for the one-column layout. */
  more?: ReactNode;
  /** Called with the command of a rating or a tool. */
  onCommand: (command: Command) => void;
}

const TOOLS = { note: "Add a note", compare: "What changed", copy: strings.copy.do };

/** The controls of what is in focus, in a fixed place, so that eye and pointer need not move. */
export const RatingDock = memo(function RatingDock(props: Props) {
  const { name, isComparing, hasNote = true, canUndo, more, onCommand, ...buttons } = props;
  const keyOf = useKeyOf();
  const tools = hasNote ? (["note", "compare", "copy"] as const) : (["compare", "copy"] as const);
  return (
    <div className={reading.dock}>
      <div className={reading.dockHead}>
        <span className={classes.stepNumber} aria-hidden>
          {name}
        </span>
        {more}
        <span className={reading.cardTools}>
          {canUndo !== undefined && (
            <button type="button" data-narrow disabled={!canUndo} onClick={() => onCommand("undo")}>
              {strings.label.undo}
            </button>
          )}
          {tools.map((tool) => (
            <button
              key={tool}
              type="button"
              aria-keyshortcuts={keyOf(tool)}
              aria-pressed={tool === "compare" ? isComparing : undefined}
              onClick={() => onCommand(tool)}
            >
              {TOOLS[tool]} <kbd aria-hidden>{keyOf(tool)}</kbd>
            </button>
          ))}
        </span>
      </div>
      <RatingButtons {...buttons} onRate={onCommand} />
    </div>
  );
});
