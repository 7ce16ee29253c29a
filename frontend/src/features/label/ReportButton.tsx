import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import type { Command } from "./keymap";
import { useKeyOf } from "./useKeys";

const says = strings.label.report;

/** Beside the reference answer: says that it looks wrong, or that this has been said. */
export function ReportButton({
  assignment,
  onCommand,
}: {
  assignment: Assignment;
  onCommand: (command: Command) => void;
}) {
  const keyOf = useKeyOf();
  const isDone = assignment.report !== null;
  return (
    <Button
      size="tiny"
      look={isDone ? "tinted" : "quiet"}
      title={assignment.report || undefined}
      onClick={() => onCommand("report")}
    >
      {isDone ? says.done : says.button} <kbd>{keyOf("report")}</kbd>
    </Button>
  );
}
