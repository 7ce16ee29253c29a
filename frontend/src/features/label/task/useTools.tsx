import { useCallback, useEffect, useState } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import type { Compared } from "@/rating/words/names";
import classes from "@/rating/reading.module.css";
import { copyText } from "@/shared/ui/clipboard";
import { lazily, lazyDialog } from "@/shared/page/Contained";
import { useKeysOn } from "@/rating/keys/useKeys";
import { usePreferences } from "@/shared/session/preferences";
import { useSource } from "@/shared/text/sourceView";
import { strings } from "@/shared/words/strings";
import { useToggleGuidelines } from "../beside/GuidelinesBeside";

const HelpDialog = lazyDialog(() => import("@/rating/HelpDialog"));
const CalculatorPanel = lazyDialog(() => import("../calculator/CalculatorPanel"));
const TaskTour = lazily(() => import("./TaskTour"));
const HistoryDialog = lazyDialog(() => import("../flow/HistoryDialog"));
const ReportDialog = lazyDialog(() => import("../asking/ReportDialog"));
const StepsDialog = lazyDialog(() => import("../asking/StepsDialog"));
const QuestionDialog = lazyDialog(() => import("../asking/QuestionDialog"));

const says = strings.label;
const TEXT_SIZES = [0.88, 1, 1.15, 1.35] as const;
const USUAL_SIZE = 1;
const TOAST_MS = 2_500;

interface Props {
  assignment: Assignment;
  /** The text in focus; `against` is the one to compare it with. */
  text: string;
  /** The step that is in focus. */
  step: number;
  against: Compared | null;
}

/** The tools that help to read and to judge, and one's records, the same on every labelling screen. */
export function useTools({ assignment, text, step, against }: Props) {
  const { phase } = assignment;
  const bindings = useKeysOn(assignment);
  const [open, setOpen] = useState<"help" | "tour" | "history" | "report" | "steps" | "question" | null>(null);
  const [isCalculating, setCalculating] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [, change] = usePreferences();
  const resize = useLook();
  const [toast, say] = useToast();
  const [, toggleSource] = useSource();
  const toggleGuidelines = useToggleGuidelines();
  const close = () => setOpen(null);

  const commands: Partial<Record<Command, () => void>> & { guidelines: () => void } = {
    help: () => setOpen("help"),
    history: () => setOpen("history"),
    question: () => setOpen("question"),
    report: () => setOpen("report"),
    steps: () => setOpen("steps"),
    guidelines: () => toggleGuidelines(phase),
    calculator: () => setCalculating(!isCalculating),
    copy: () => void copyText(text).then((isCopied) => say(isCopied ? says.copied : says.notCopied)),
    compare: () => {
      setComparing(!isComparing);
      const on = against ? `Compared with ${against.name}` : "There is nothing to compare it with";
      say(isComparing ? "Changes are no longer marked" : on);
    },
    source: () => say(toggleSource() ? "Texts as they are stored" : "Texts as they read"),
    larger: () => say(resize(1)),
    smaller: () => say(resize(-1)),
  };

  const startTour = useCallback(() => setOpen("tour"), []);
  const endTour = () => {
    close();
    change({ isTourSeen: true });
  };

  /** Dialogs and panels, to be put anywhere on the screen. */
  const element = (
    <>
      <div className={classes.toast} role="status" data-is-empty={toast === "" || undefined}>
        {toast}
      </div>
      {open === "help" && (
        <HelpDialog bindings={bindings} onClose={close} onGuidelines={commands.guidelines} onTour={startTour} />
      )}
      {open === "tour" && <TaskTour phase={phase} onClose={endTour} />}
      {open === "history" && <HistoryDialog phase={phase.id} onClose={close} />}
      {open === "report" && <ReportDialog assignment={assignment} onClose={close} />}
      {open === "steps" && (
        <StepsDialog assignment={assignment} step={step} onClose={close} onSent={() => say("Reported")} />
      )}
      {open === "question" && <QuestionDialog assignment={assignment} onClose={close} />}
      {isCalculating && <CalculatorPanel onClose={() => setCalculating(false)} />}
    </>
  );
  return { commands, isComparing, startTour, say, element };
}

/** Applies the text size and density of problems and steps. Returns a function that changes the size and names the new one. */
function useLook(): (by: 1 | -1) => string {
  const [{ textSize = USUAL_SIZE, isCompact = false }, change] = usePreferences();
  const clamp = (size: number) => Math.min(Math.max(Math.round(size), 0), TEXT_SIZES.length - 1);
  const size = clamp(textSize);
  useEffect(() => {
    const page = document.documentElement;
    page.style.setProperty("--reading-size", String(TEXT_SIZES[size]));
    page.toggleAttribute("data-compact", isCompact);
    return () => {
      page.style.removeProperty("--reading-size");
      page.removeAttribute("data-compact");
    };
  }, [size, isCompact]);
  return (by) => {
    const next = clamp(size + by);
    if (next !== size) change({ textSize: next });
    return `Text size ${next + 1} of ${TEXT_SIZES.length}`;
  };
}

/** A short message on what a key press did; it disappears by itself, and nothing depends on reading it. */
function useToast(): [string, (text: string) => void] {
  const [said, setSaid] = useState({ text: "" });
  useEffect(() => {
    const timer = setTimeout(() => setSaid((now) => (now.text === "" ? now : { text: "" })), TOAST_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.text, (text) => setSaid({ text })];
}
