import { useState } from "react";
import type { Command } from "@/rating/keys/keymap";
import reading from "@/rating/reading.module.css";
import { strings } from "@/shared/strings";
import { ToolBar } from "./ToolBar";
import type { Desk } from "./useDesk";

/** Where there is one column, the tools lie under the thumb as well. */
export function useThumbTools({ assignment, run }: Desk) {
  const [isOpen, setOpen] = useState(false);
  const use = (command: Command) => {
    setOpen(false);
    run(command);
  };
  const button = (
    <button type="button" className={reading.thumb} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {strings.label.tools}
    </button>
  );
  const bar = isOpen && (
    <div className={reading.thumbTools}>
      <ToolBar phase={assignment.phase} hasAnswer={assignment.has_answer} onCommand={use} />
    </div>
  );
  return { button, bar };
}
