import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { copyText } from "@/shared/clipboard";
import { usePreferences } from "@/shared/preferences";
import { strings } from "@/shared/strings";
import type { Command } from "./keymap";
import { TEXT_SIZES, useTextSize } from "./textSize";
import { Toast, useToast } from "./Toast";

const HelpDialog = lazy(() => import("./HelpDialog"));
const GuidelinesPanel = lazy(() => import("./GuidelinesPanel"));
const CalculatorPanel = lazy(() => import("./calculator/CalculatorPanel"));
const TaskTour = lazy(() => import("./TaskTour"));

const says = strings.label;

interface Props {
  assignment: Assignment;
  /** The texts on the screen, in order; `current` is the one in focus. */
  steps: readonly string[];
  current: number;
}

type Panel = "help" | "guidelines" | "calculator" | "tour" | null;

export interface Tools {
  /** Carries the command out if it is a tool's. */
  run(command: Command): void;
  /** The step in focus shows what changed against the one before. */
  isComparing: boolean;
  startTour: () => void;
  /** Dialogs and panels, to be put anywhere on the screen. */
  element: ReactNode;
}

/** What helps to read and to judge, the same on every labelling screen: help, guidelines, calculator, copy, text size. */
export function useTools({ assignment, steps, current }: Props): Tools {
  const [panel, setPanel] = useState<Panel>(null);
  const [isComparing, setComparing] = useState(false);
  const [, change] = usePreferences();
  const text = useTextSize();
  const toast = useToast();

  const toggle = (name: Panel) => setPanel((open) => (open === name ? null : name));
  const close = () => setPanel(null);

  const copy = async () => toast.say((await copyText(steps[current] ?? "")) ? says.copied : says.notCopied);
  const compare = () => {
    setComparing(!isComparing);
    toast.say(isComparing ? says.compare.off : current === 0 ? says.compare.first : says.compare.on);
  };
  const resize = (step: 1 | -1) => toast.say(says.textSize(text.move(step) + 1, TEXT_SIZES.length));

  const run = (command: Command) => {
    switch (command) {
      case "help":
      case "guidelines":
      case "calculator":
        toggle(command);
        break;
      case "copy":
        void copy();
        break;
      case "compare":
        compare();
        break;
      case "larger":
        resize(1);
        break;
      case "smaller":
        resize(-1);
        break;
      default:
    }
  };

  const startTour = useCallback(() => setPanel("tour"), []);
  const endTour = () => {
    close();
    change({ isTourSeen: true });
  };

  const element = (
    <>
      <Toast text={toast.text} />
      <Suspense fallback={null}>
        {panel === "help" && (
          <HelpDialog kind={assignment.phase.kind} onClose={close} onCommand={run} onTour={startTour} />
        )}
        {panel === "guidelines" && <GuidelinesPanel phase={assignment.phase} onClose={close} />}
        {panel === "calculator" && <CalculatorPanel onClose={close} />}
        {panel === "tour" && <TaskTour kind={assignment.phase.kind} onClose={endTour} />}
      </Suspense>
    </>
  );
  return { run, isComparing, startTour, element };
}
