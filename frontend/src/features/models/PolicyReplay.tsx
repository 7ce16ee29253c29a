import { LineChart } from "@mantine/charts";
import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { RewardModelDetail } from "@/api/types";
import { axisOf } from "@/shared/axis";
import { CHART, Figure } from "@/shared/Figure";
import { count, decimal } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { isActive, live, RunState } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import classes from "./models.module.css";
import { POLICIES, replayRows } from "./replayRows";
import { says } from "./strings";

const SEEDS = 2;
const figure = (value: number) => decimal(value);
const COLUMNS = [
  { key: "labels", label: says.stepLabels, format: count },
  ...POLICIES.flatMap((policy) => [
    { key: policy, label: says.policies[policy], format: figure },
    { key: `${policy}_low`, label: `${says.policies[policy]}, ${says.low.toLowerCase()}`, format: figure },
    { key: `${policy}_high`, label: `${says.policies[policy]}, ${says.high.toLowerCase()}`, format: figure },
  ]),
];

/** How good the model would be after so many labels, had each policy picked among those that it learned from. */
export function PolicyReplay({ model }: { model: Pick<RewardModelDetail, "id" | "replay_obstacle"> }) {
  const asked = live(reading("/api/policy-replays/", { query: { reward_model: model.id, page_size: 1 } }));
  const replays = useQuery(asked);
  const start = useAct(() =>
    dataOf(client.POST("/api/policy-replays/", { body: { reward_model: model.id, seeds: SEEDS } })),
  );
  const mayAct = canRunJobs(useUser());
  return (
    <div className={classes.replay}>
      <Panel>
        <Loaded query={replays}>
          {({ results: [run] }) => {
            const rows = replayRows(run?.metrics.points ?? []);
            return (
              <>
                <Figure
                  title="Policies compared"
                  lead="Held-out step AUC, had each policy picked among the labels that this model learned from. All begin with the same uniform batch."
                  columns={COLUMNS}
                  rows={rows}
                >
                  <LineChart
                    {...CHART}
                    data={rows}
                    dataKey="labels"
                    curveType="linear"
                    withLegend
                    valueFormatter={figure}
                    xAxisLabel={says.stepLabels}
                    yAxisLabel="Step AUC"
                    yAxisProps={axisOf(
                      rows.flatMap((row) =>
                        Object.entries(row).flatMap(([key, value]) => (key === "labels" ? [] : value)),
                      ),
                      { isFromZero: false },
                    )}
                    series={POLICIES.map((policy, index) => ({
                      name: policy,
                      label: says.policies[policy],
                      color: `var(--series-${index + 1})`,
                    }))}
                  />
                </Figure>
                {run && run.status !== "done" && <RunState run={run} />}
                {mayAct && !(run && isActive(run)) && (
                  <Group gap="sm" mt="sm">
                    <Button
                      variant="default"
                      loading={start.isPending}
                      disabled={model.replay_obstacle !== ""}
                      onClick={() => start.mutate()}
                    >
                      {run ? "Compare again" : "Compare policies"}
                    </Button>
                    <Text size="sm" c="dimmed">
                      {model.replay_obstacle ||
                        "Trains a model for each policy at five sizes, twice: it takes about as long as 30 smaller trainings."}
                    </Text>
                  </Group>
                )}
                {start.error && <Problem error={start.error} />}
              </>
            );
          }}
        </Loaded>
      </Panel>
    </div>
  );
}
