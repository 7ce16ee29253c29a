import { Button, Group, Progress, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Run } from "@/api/types";
import { count, duration, when } from "@/shared/format";
import { Problem } from "@/shared/Problem";
import { StatusBadge } from "@/shared/StatusBadge";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";
import { isActive, useCancel, useRetry, type RunKind } from "./queries";

const says = strings.loop;

interface Props {
  kind: RunKind;
  run: Run;
  mayAct: boolean;
}

/** Where a job is: status, stage, progress, time, error, and the ways to stop it or try again. */
export function RunState({ kind, run, mayAct }: Props) {
  return (
    <div className={classes.run}>
      <Group justify="space-between" gap="xs">
        <StatusBadge status={run.status} />
        <RunTime run={run} />
      </Group>
      {isActive(run) && <RunProgress run={run} />}
      {run.error !== "" && <pre className={classes.error} role="alert">{run.error}</pre>}
      <Text size="xs" c="dimmed">
        {[when(run.created_at), run.owner && says.by(run.owner), run.attempts > 1 && says.attempts(run.attempts)].filter(Boolean).join(" · ")}
      </Text>
      {mayAct && <RunActs kind={kind} run={run} />}
    </div>
  );
}

function RunProgress({ run }: { run: Run }) {
  const share = run.total > 0 ? (100 * run.done) / run.total : null;
  return (
    <>
      <Progress value={share ?? 100} animated={share === null || run.status === "running"} striped={share === null}
        aria-label={run.stage || strings.statuses[run.status]} />
      <Group justify="space-between" gap="xs">
        <Text size="sm">{run.stage}</Text>
        {share !== null && <Text size="sm" className={classes.numbers}>{count(run.done)} / {count(run.total)}</Text>}
      </Group>
    </>
  );
}

function RunTime({ run }: { run: Run }) {
  const now = useNow(run.status === "running");
  if (!run.started_at) return null;
  const started = Date.parse(run.started_at);
  const text = run.finished_at
    ? says.took(duration(Date.parse(run.finished_at) - started))
    : says.elapsed(duration(Math.max(0, now - started)));
  return <Text size="xs" c="dimmed" className={classes.numbers}>{text}</Text>;
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

function RunActs({ kind, run }: Pick<Props, "kind" | "run">) {
  const cancel = useCancel(kind, run.id);
  const retry = useRetry(kind, run.id);
  const error = cancel.error ?? retry.error;
  const canRetry = run.status === "failed" || run.status === "cancelled";
  if (!isActive(run) && !canRetry) return null;
  return (
    <>
      {error && <Problem error={error} />}
      {isActive(run) && (
        <Button size="compact-sm" variant="default" loading={cancel.isPending} disabled={run.cancel_requested_at !== null} onClick={() => cancel.mutate()}>
          {run.cancel_requested_at === null ? says.cancel : says.cancelling}
        </Button>
      )}
      {canRetry && <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>{says.retry}</Button>}
    </>
  );
}
