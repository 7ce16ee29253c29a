import { Button } from "@mantine/core";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import type { Command } from "./keymap";
import { useKeyOf } from "./useKeys";

const says = strings.label.report;

/** Beside the reference answer: says that it looks wrong, or that this has been said. */
export function ReportButton({ assignment, onCommand }: { assignment: Assignment; onCommand: (command: Command) => void }) {
  const keyOf = useKeyOf();
  const isDone = assignment.report !== null;
  return (
    <Button size="compact-xs" variant={isDone ? "light" : "subtle"} color="gray" fw={500} rightSection={<kbd>{keyOf("report")}</kbd>}
      title={assignment.report || undefined} onClick={() => onCommand("report")}>
      {isDone ? says.done : says.button}
    </Button>
  );
}
