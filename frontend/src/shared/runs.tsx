import { Progress, Text } from "@mantine/core";
import type { Run } from "@/api/types";
import { count, duration } from "./format";
import { strings } from "./strings";

const says = strings.runs;

export function isActive(run: Pick<Run, "status">): boolean {
  return run.status === "queued" || run.status === "running";
}

/** Often while something runs, so that the page is live; seldom otherwise. */
export function pace(runs: readonly Pick<Run, "status">[] | undefined): number {
  return runs?.some(isActive) ? 1500 : 10_000;
}

/** How far a run is and how long its stage will still take; `now` is when the row was read. */
export function RunProgress({ run, now }: { run: Pick<Run, "status" | "stage" | "done" | "total" | "expected_at">; now: number }) {
  if (!isActive(run)) return null;
  const share = run.total > 0 ? (100 * run.done) / run.total : null;
  const left = run.expected_at && says.left(duration(Math.max(0, Date.parse(run.expected_at) - now)));
  const told = [run.stage, run.total > 0 && `${count(run.done)} / ${count(run.total)}`, left].filter(Boolean).join(" · ");
  return (
    <div>
      <Progress value={share ?? 100} animated={run.status === "running"} striped={share === null} aria-label={run.stage || strings.statuses[run.status]} />
      <Text size="xs" c="dimmed" mt={4}>{told}</Text>
    </div>
  );
}
