import { strings } from "@/shared/strings";
import type { Command } from "./keymap";
import reading from "./reading.module.css";
import { useKeyOf } from "./useKeys";

const says = strings.label;

interface Props {
  isComparing: boolean;
  onTool: (command: Command) => void;
  /** Whether a note can be added. */
  hasNote?: boolean;
}

/** Copy a step, show what changed, write a note: also for who has no keyboard. */
export function CardTools({ isComparing, onTool, hasNote = false }: Props) {
  const keyOf = useKeyOf();
  return (
    <span className={reading.cardTools}>
      {hasNote && (
        <button type="button" onClick={() => onTool("note")}>
          {says.addNote} <kbd>{keyOf("note")}</kbd>
        </button>
      )}
      <button type="button" onClick={() => onTool("compare")} aria-pressed={isComparing}>
        {says.compare.short} <kbd>{keyOf("compare")}</kbd>
      </button>
      <button type="button" onClick={() => onTool("copy")}>
        {says.copy} <kbd>{keyOf("copy")}</kbd>
      </button>
    </span>
  );
}
