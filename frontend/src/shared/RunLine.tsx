import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { count } from "./format";
import { Notice } from "./Notice";
import { Problem } from "./Problem";
import { StatusBadge } from "./StatusBadge";
import { strings } from "./strings";

interface Props {
  run: Run;
  /** Left out for those who may only look on. */
  cancel?: UseMutationResult;
  retry?: UseMutationResult;
}

export function isUnderWay(run: Pick<Run, "status">): boolean {
  return run.status === "queued" || run.status === "running";
}

/** How often to look at runs again: often while one is under way. */
export function paceOf(runs: Pick<Run, "status">[] | undefined): number {
  return runs?.some(isUnderWay) ? 1500 : 10_000;
}

/** Where a job is, why it failed, and the way to stop it or to try again. */
export function RunLine({ run, cancel, retry }: Props) {
  const says = strings.run;
  const [act, name] = isUnderWay(run) ? [cancel, says.cancel] : run.status === "done" ? [] : [retry, says.retry];
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <StatusBadge status={run.status} />
        {isUnderWay(run) && <Text size="sm" c="dimmed">{[run.stage, run.total > 0 && says.of(count(run.done), count(run.total))].filter(Boolean).join(" · ")}</Text>}
        {act && <Button size="compact-sm" variant="default" loading={act.isPending} disabled={isUnderWay(run) && run.cancel_requested_at !== null} onClick={() => act.mutate()}>{name}</Button>}
      </Group>
      {isUnderWay(run) && <Progress value={run.total > 0 ? (100 * run.done) / run.total : 100} striped={run.total === 0} aria-label={run.stage || strings.statuses[run.status]} />}
      {run.error !== "" && <Notice tone="bad">{run.error}</Notice>}
      {act?.error && <Problem error={act.error} />}
    </Stack>
  );
}
