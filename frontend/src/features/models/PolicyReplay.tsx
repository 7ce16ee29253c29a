import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { ByName, ReplayPoint, RewardModelDetail } from "@/api/types";
import { axisOf } from "@/shared/figures/axis";
import { LineFigure } from "@/shared/figures/charts";
import { withEnds } from "@/shared/figures/intervals";
import { count, decimal } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { Dim, Panel } from "@/shared/page/Panel";
import { isActive, live, RunState } from "@/shared/runs/runs";
import { canRunJobs, useUser } from "@/shared/session/session";
import { POLICIES } from "@/shared/words/vocabularies";
import { ActButton } from "@/shared/forms/ActButton";

const SEEDS = 2;
const format = (value: number) => decimal(value);
const COLUMNS = Object.entries(POLICIES).flatMap(([key, label], at) =>
  withEnds({ key, label, format, color: `var(--series-${at + 1})` }),
);

/** Step AUC by number of labels, had each policy picked among the labels that the model learned from. */
export function PolicyReplay({ model }: { model: Pick<RewardModelDetail, "id" | "phase" | "replay_obstacle"> }) {
  const asked = live(reading("/api/policy-replays/", { query: { reward_model: model.id, page_size: 1 } }));
  const replays = useQuery(asked);
  const mayAct = canRunJobs(useUser(), model.phase);
  return (
    <Box my="lg">
      <Panel>
        <Loaded query={replays}>
          {({ results: [run] }) => {
            const rows = replayRows(run?.metrics.points ?? []);
            return (
              <>
                <LineFigure
                  title="Policies compared"
                  lead="Held-out step AUC, had each policy picked among the labels that this model learned from. All begin with the same uniform batch."
                  columns={[{ key: "labels", label: "Step labels", format: count }, ...COLUMNS]}
                  rows={rows}
                  measure="Step AUC"
                  yAxisProps={axisOf(
                    rows.flatMap((row) => COLUMNS.flatMap(({ key }) => row[key] ?? [])),
                    { isFromZero: false },
                  )}
                />
                {run && run.status !== "done" && <RunState run={run} />}
                {mayAct && !(run && isActive(run)) && (
                  <Group gap="sm" mt="sm">
                    <ActButton
                      size="sm"
                      act={() =>
                        client.POST("/api/policy-replays/", { body: { reward_model: model.id, seeds: SEEDS } })
                      }
                      disabled={model.replay_obstacle !== ""}
                    >
                      {run ? "Compare again" : "Compare policies"}
                    </ActButton>
                    <Dim>
                      {model.replay_obstacle ||
                        "Trains a model for each policy at five sizes, twice: it takes about as long as 50 smaller trainings."}
                    </Dim>
                  </Group>
                )}
              </>
            );
          }}
        </Loaded>
      </Panel>
    </Box>
  );
}

/** A row for each budget: the mean of the seeds by policy, with the lowest and the highest. */
export function replayRows(points: readonly ReplayPoint[]) {
  const budgets: ReplayPoint[][] = [];
  const seen = new Map<string, number>();
  for (const point of points) {
    const contest = `${point.policy} ${point.seed}`;
    const place = seen.get(contest) ?? 0;
    seen.set(contest, place + 1);
    (budgets[place] ??= []).push(point);
  }
  return budgets.map((budget): ByName<number> => ({
    labels: Math.round(mean(budget.map(({ labels }) => labels))),
    ...Object.fromEntries(Object.keys(POLICIES).flatMap((policy) => ofPolicy(policy, budget))),
  }));
}

function ofPolicy(policy: string, budget: readonly ReplayPoint[]): [string, number][] {
  const found = budget.filter((point) => point.policy === policy).map(({ step_auc }) => step_auc);
  if (found.length === 0) return [];
  return [
    [policy, mean(found)],
    [`${policy}_low`, Math.min(...found)],
    [`${policy}_high`, Math.max(...found)],
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
