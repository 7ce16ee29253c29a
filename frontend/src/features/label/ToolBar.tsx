import { memo } from "react";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import type { Command } from "./keymap";
import classes from "./reading.module.css";
import { useGuidelinesNews } from "./useGuidelinesNews";
import { useKeyOf } from "./useKeys";

const says = strings.label;
const TOOLS = ["guidelines", "calculator", "history", "help", "smaller", "larger"] as const;
const NAMES = {
  guidelines: says.guidelines.title,
  calculator: says.calculator.title,
  history: says.toolNames.history,
  help: says.toolNames.help,
  smaller: "A−",
  larger: "A+",
};

/** By mouse and touch what the tools' keys do. */
export const ToolBar = memo(function ToolBar({
  phase,
  onCommand,
}: {
  phase: Assignment["phase"];
  onCommand: (command: Command) => void;
}) {
  const keyOf = useKeyOf();
  const news = useGuidelinesNews(phase);
  return (
    <div className={classes.tools} role="group" aria-label={says.tools} data-tour="tools">
      {TOOLS.map((tool) => (
        <button key={tool} type="button" onClick={() => onCommand(tool)}>
          {NAMES[tool]}
          {(tool === "smaller" || tool === "larger") && <span className="unseen"> {says[tool]}</span>}
          {tool === "guidelines" && news !== "" ? (
            <span className={classes.badge}>{says.guidelines.news[news]}</span>
          ) : (
            <kbd>{keyOf(tool)}</kbd>
          )}
        </button>
      ))}
    </div>
  );
});
