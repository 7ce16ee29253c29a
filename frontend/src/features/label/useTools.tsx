import { useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { HelpDialog } from "./HelpDialog";
import type { Command } from "./keymap";

interface Props {
  assignment: Assignment;
  /** The texts on the screen, in order; `current` is the one in focus. */
  steps: readonly string[];
  current: number;
}

export interface Tools {
  /** Carries the command out if it is a tool's. */
  run(command: Command): void;
  /** Dialogs and panels, to be put anywhere on the screen. */
  element: ReactNode;
}

/** What helps to read and to judge, the same on every labelling screen: help, guidelines, calculator, copy, text size. */
export function useTools({ assignment }: Props): Tools {
  const [isHelpOpen, setHelpOpen] = useState(false);
  return {
    run(command) {
      if (command === "help") setHelpOpen(true);
    },
    element: <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} instructions={assignment.phase.instructions ?? ""} />,
  };
}
