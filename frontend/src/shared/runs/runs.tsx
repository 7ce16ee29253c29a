import { Group, Progress, Stack } from "@mantine/core";
import { queryOptions, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import type { Run, RunDetails, User } from "@/api/types";
import { count, duration, moment } from "@/shared/words/format";
import { Notice, Problem } from "@/shared/page/Loaded";
import { SmallButton, Tiny } from "@/shared/page/Panel";
import { actsIn, useUser } from "@/shared/session/session";
import classes from "./runs.module.css";
import { RUN_KINDS, STATUSES, type Status } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";

type Running = Pick<Run, "status">;

export function isActive(run: Running): boolean {
  return run.status === "queued" || run.status === "running";
}

/** Returns the interval between fetches, in ms: short while a run is active, so that the page is live. */
export function pace(runs: readonly Running[] | undefined): number {
  return runs?.some(isActive) ? 1500 : 10_000;
}

/** Returns a query of runs, or of one, that is fetched again at their `pace`. */
export function live<Data extends Running | { results: readonly Running[] }, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
) {
  const runsIn = (data: Running | { results: readonly Running[] }) => ("results" in data ? data.results : [data]);
  return {
    ...query,
    refetchInterval: ({ state: { data } }: { state: { data: Data | undefined } }) => pace(data && runsIn(data)),
  };
}

/** Returns the query of a run with its kind's details. It throws if the id is another kind's. */
export function runQuery<Kind extends RunDetails["kind"]>(kind: Kind, id: string) {
  return queryOptions({
    queryKey: ["/api/runs/{id}/", id, kind],
    queryFn: async ({ signal }) => {
      const run = await dataOf(client.GET("/api/runs/{id}/", { params: { path: { id } }, signal }));
      const details = run.details as RunDetails; // the generator leaves the kind out of a named union
      if (details.kind !== kind) throw new Error(strings.notFound);
      return details as Extract<RunDetails, { kind: Kind }>;
    },
  });
}

/** Returns the time left, counted from the heartbeat, so that it stands still if the worker is dead; "" if overdue. */
function timeLeft({ status, expected_at, heartbeat_at }: Reported): string {
  if (status !== "running" || expected_at === null || heartbeat_at === null) return "";
  const ms = Date.parse(expected_at) - Date.parse(heartbeat_at);
  return ms > 0 ? `about ${duration(ms)} left` : "";
}

/** The state of a job or a round: a word, with a dot whose shape differs too. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <span className={classes.badge} data-status={status}>
      {STATUSES[status]}
    </span>
  );
}

type Reported = Pick<Run, "status" | "stage" | "done" | "total" | "expected_at" | "heartbeat_at">;

/** The progress of a run, and the time left in its stage. Not animated: it would move with a dead worker, too. */
export function RunProgress({ run }: { run: Reported }) {
  if (!isActive(run)) return null;
  const share = run.total > 0 ? (100 * run.done) / run.total : null;
  const told = [run.stage, run.total > 0 && `${count(run.done)} / ${count(run.total)}`, timeLeft(run)]
    .filter(Boolean)
    .join(" · ");
  return (
    <div>
      <Progress value={share ?? 100} striped={share === null} aria-label={run.stage || STATUSES[run.status]} />
      <Tiny mt={4}>{told}</Tiny>
    </div>
  );
}

/** True if the user may start such a run, and so cancel it and try it again. */
export function mayStart(user: User, { kind, phase }: Pick<Run, "kind" | "phase">): boolean {
  return (user.is_ml_staff || (user.is_admin && RUN_KINDS[kind].isForAdmins === true)) && actsIn(user, phase);
}

/** The state of a run, why it failed, and the buttons to cancel it or try again, for those who may start such a run. */
export function RunState({ run }: { run: Run }) {
  const path = { params: { path: { id: run.id } } };
  const cancel = useAct(() => client.POST("/api/runs/{id}/cancel/", path));
  const retry = useAct(() => client.POST("/api/runs/{id}/retry/", path));
  const act = isActive(run) ? cancel : retry;
  const isEnding = isActive(run) && run.cancel_requested_at !== null;
  const mayAct = mayStart(useUser(), run) && run.status !== "done" && run.status !== "ready";
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <StatusBadge status={run.status} />
        {mayAct && (
          <SmallButton loading={act.isPending} disabled={isEnding} onClick={() => act.mutate()}>
            {isEnding ? "Cancelling" : isActive(run) ? "Cancel" : "Try again"}
          </SmallButton>
        )}
        {mayAct && run.kind === "train" && !isActive(run) && (
          <SmallButton component={Link} href={`/training/clone/${run.id}`}>
            Change and run again
          </SmallButton>
        )}
      </Group>
      <RunProgress run={run} />
      {run.error !== "" && (
        <Notice tone="bad">
          <span style={{ whiteSpace: "pre-wrap" }}>{run.error}</span>
          {isActive(run) && run.next_try_at && ` Next: ${moment(run.next_try_at)}.`}
        </Notice>
      )}
      {act.error && <Problem error={act.error} />}
    </Stack>
  );
}
