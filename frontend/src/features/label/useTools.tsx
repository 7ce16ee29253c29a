import { useCallback, useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import type { Compared } from "@/rating/names";
import { copyText } from "@/shared/clipboard";
import { lazily } from "@/shared/Contained";
import { usePreferences } from "@/shared/preferences";
import { strings } from "@/shared/strings";
import { useDensity } from "./density";
import { useToggleGuidelines } from "./GuidelinesBeside";
import { TEXT_SIZES, useTextSize } from "./textSize";
import { Toast, useToast } from "./Toast";

const HelpDialog = lazily(() => import("@/rating/keys/HelpDialog"));
const CalculatorPanel = lazily(() => import("./calculator/CalculatorPanel"));
const TaskTour = lazily(() => import("./TaskTour"));

const says = strings.label;

interface Props {
  assignment: Assignment;
  /** What is in focus, and what it can be compared with. */
  text: string;
  against: Compared | null;
}

type Panel = "help" | "calculator" | "tour" | null;

export interface Tools {
  commands: Partial<Record<Command, () => void>>;
  /** The text in focus shows what differs from another one. */
  isComparing: boolean;
  startTour: () => void;
  /** A word on what a key press did. */
  say: (text: string) => void;
  /** Dialogs and panels, to be put anywhere on the screen. */
  element: ReactNode;
}

/** What helps to read and to judge, the same on every labelling screen: help, guidelines, calculator, copy, text size. */
export function useTools({ assignment, text, against }: Props): Tools {
  const [panel, setPanel] = useState<Panel>(null);
  const [isComparing, setComparing] = useState(false);
  const [, change] = usePreferences();
  const size = useTextSize();
  const toast = useToast();
  const toggleGuidelines = useToggleGuidelines();
  useDensity();

  const toggle = (name: Panel) => setPanel((open) => (open === name ? null : name));
  const close = () => setPanel(null);

  const copy = async () => toast.say((await copyText(text)) ? says.copied : says.notCopied);
  const compare = () => {
    setComparing(!isComparing);
    toast.say(isComparing ? says.compare.off : against ? says.compare.on(against.name) : says.compare.nothing);
  };
  const resize = (step: 1 | -1) => toast.say(says.textSize(size.move(step) + 1, TEXT_SIZES.length));

  const commands = {
    help: () => toggle("help"),
    guidelines: () => toggleGuidelines(assignment.phase),
    calculator: () => toggle("calculator"),
    copy: () => void copy(),
    compare,
    larger: () => resize(1),
    smaller: () => resize(-1),
  };

  const startTour = useCallback(() => setPanel("tour"), []);
  const endTour = () => {
    close();
    change({ isTourSeen: true });
  };

  const element = (
    <>
      <Toast text={toast.text} />
      {panel === "help" && (
        <HelpDialog
          kind={assignment.phase.kind}
          onClose={close}
          onGuidelines={commands.guidelines}
          onTour={startTour}
        />
      )}
      {panel === "calculator" && <CalculatorPanel onClose={close} />}
      {panel === "tour" && <TaskTour kind={assignment.phase.kind} onClose={endTour} />}
    </>
  );
  return { commands, isComparing, startTour, say: toast.say, element };
}
