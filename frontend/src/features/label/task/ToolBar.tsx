import { memo } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import classes from "@/rating/reading.module.css";
import { useIsSource } from "@/shared/text/sourceView";
import { strings } from "@/shared/words/strings";
import { useGuidelinesNews } from "../beside/guidelines";

const says = strings.label;
const TOOLS = [
  "guidelines",
  "calculator",
  "history",
  "question",
  "steps",
  "source",
  "help",
  "smaller",
  "larger",
] as const;
const NEWS = { unread: "not read yet", changed: "changed" };
const NAMES = {
  guidelines: says.guidelines,
  calculator: "Calculator",
  history: says.toolNames.history,
  question: "Question",
  steps: "Cuts",
  source: "Source",
  help: says.toolNames.help,
  smaller: "A−",
  larger: "A+",
};

/** The tools as buttons, for mouse and touch. */
export const ToolBar = memo(function ToolBar({
  phase,
  hasAnswer = false,
  hasCuts = false,
  onCommand,
}: {
  phase: Assignment["phase"];
  /** True if the task has steps whose cuts can be reported. */
  hasCuts?: boolean;
  /** True if a question about the task was answered. */
  hasAnswer?: boolean;
  onCommand: (command: Command) => void;
}) {
  const keyOf = useKeyOf();
  const news = useGuidelinesNews(phase);
  const isSource = useIsSource();
  return (
    <div className={classes.tools} role="group" aria-label={says.tools} data-tour="tools">
      {TOOLS.filter((tool) => tool !== "steps" || hasCuts).map((tool) => (
        <button
          key={tool}
          type="button"
          aria-keyshortcuts={keyOf(tool)}
          aria-pressed={tool === "source" ? isSource : undefined}
          onClick={() => onCommand(tool)}
        >
          {NAMES[tool]}
          {tool === "smaller" && <span className="unseen"> Smaller text</span>}
          {tool === "larger" && <span className="unseen"> Larger text</span>}
          {tool === "guidelines" && news !== "" ? (
            <span className={classes.badge}>{NEWS[news]}</span>
          ) : tool === "question" && hasAnswer ? (
            <span className={classes.badge}>answered</span>
          ) : (
            <kbd aria-hidden>{keyOf(tool)}</kbd>
          )}
        </button>
      ))}
    </div>
  );
});
