import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";

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
      aria-keyshortcuts={keyOf("report")}
      title={assignment.report || undefined}
      onClick={() => onCommand("report")}
    >
      {isDone ? says.done : says.button} <kbd aria-hidden>{keyOf("report")}</kbd>
    </Button>
  );
}
