import { strings } from "@/shared/strings";
import type { Command } from "./keys/keymap";
import reading from "./reading.module.css";
import { useKeyOf } from "./keys/useKeys";

const says = strings.label;
const NAMES = { note: says.addNote, compare: says.compare.short, copy: says.copy };

interface Props {
  isComparing: boolean;
  onTool: (command: Command) => void;
  /** Whether a note can be added. */
  hasNote?: boolean;
  /** Where there is one column, undo is under the thumb, too. */
  canUndo?: boolean;
}

/** Copy a step, show what changed, write a note: also for who has no keyboard. */
export function CardTools({ isComparing, onTool, hasNote = false, canUndo }: Props) {
  const keyOf = useKeyOf();
  return (
    <span className={reading.cardTools}>
      {canUndo !== undefined && (
        <button type="button" data-narrow disabled={!canUndo} onClick={() => onTool("undo")}>
          {says.undo}
        </button>
      )}
      {(["note", "compare", "copy"] as const).map(
        (tool) =>
          (tool !== "note" || hasNote) && (
            <button
              key={tool}
              type="button"
              aria-keyshortcuts={keyOf(tool)}
              aria-pressed={tool === "compare" ? isComparing : undefined}
              onClick={() => onTool(tool)}
            >
              {NAMES[tool]} <kbd aria-hidden>{keyOf(tool)}</kbd>
            </button>
          ),
      )}
    </span>
  );
}
