import { Button, Kbd, Text } from "@mantine/core";
import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { keyName } from "./keymap";
import { firstBad } from "./labelling";
import classes from "./TaskScreen.module.css";
import type { TaskState } from "./useTask";

const says = strings.label;

/** Appears when the labelling is complete: says how it ends, and sends it. */
export function SubmitBar({ task, onSubmit }: { task: TaskState; onSubmit: () => void }) {
  const { finish } = task;
  if (finish === null) return null;
  const bad = firstBad(task.labelling);
  return (
    <div className={classes.submitBar} role="region" aria-label={says.submit} data-rating={bad === null ? "great" : "bad"}>
      <RatingIcon word={bad === null ? "great" : "bad"} size={28} />
      <div className={classes.submitText} role="status">
        <Text fw={650}>{bad === null ? says.wholeSolution : says.foundError(bad + 1)}</Text>
        <Text size="sm" c="dimmed">{bad === null ? says.lastStepHint : says.foundErrorMore}</Text>
      </div>
      <Button size="md" onClick={onSubmit} rightSection={<Kbd size="xs" className={classes.key}>{keyName("Enter")}</Kbd>}>
        {says.submit}
      </Button>
    </div>
  );
}
