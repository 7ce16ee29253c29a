import { Button, Kbd, Text } from "@mantine/core";
import { messageOf } from "@/shared/Problem";
import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { keyName } from "./keymap";
import { firstBad } from "./labelling";
import classes from "./TaskScreen.module.css";
import type { TaskState } from "./useTask";

const says = strings.label;

/** Appears when the labelling is complete: says how it ends, and sends it. Also shows a refused or unsent submission. */
export function SubmitBar({ task, onSubmit }: { task: TaskState; onSubmit: () => void }) {
  const { finish, submission } = task;
  if (finish === null && !submission.isError) return null;
  const bad = firstBad(task.labelling);
  return (
    <div className={classes.submitBar} role="region" aria-label={says.submit} data-rating={bad === null ? "great" : "bad"}>
      {finish && <RatingIcon word={bad === null ? "great" : "bad"} size={28} />}
      <div className={classes.submitText} role="status">
        {finish && <Text fw={650}>{bad === null ? says.wholeSolution : says.foundError(bad + 1)}</Text>}
        {submission.isError
          ? <Text size="sm" c="var(--bad-text)" role="alert">{says.submitFailed} {messageOf(submission.error)}</Text>
          : <Text size="sm" c="dimmed">{bad === null ? says.lastStepHint : says.foundErrorMore}</Text>}
      </div>
      {finish && (
        <Button size="md" onClick={onSubmit} loading={submission.isPending} rightSection={<Kbd size="xs" className={classes.key}>{keyName("Enter")}</Kbd>}>
          {submission.isError ? strings.retry : says.submit}
        </Button>
      )}
    </div>
  );
}
