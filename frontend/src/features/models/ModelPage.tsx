import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { RewardModelDetail } from "@/api/types";
import { BackLink } from "@/shared/BackLink";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Problem } from "@/shared/Problem";
import { isActive, pace, RunProgress } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { Joined, Time } from "@/shared/Time";
import { Evaluation } from "./Evaluation";
import { Lineage } from "./Lineage";
import classes from "./models.module.css";
import { PolicyReplay } from "./PolicyReplay";
import { Promote } from "./Promote";
import { says } from "./strings";

/** One model: how good it is, whether it may select, where it came from and what came of it. */
export function ModelPage({ id }: { id: string }) {
  const model = useQuery({
    ...reading("/api/reward-models/{id}/", { path: { id } }),
    refetchInterval: ({ state }) =>
      pace([state.data?.evaluating, ...(state.data?.scorings ?? [])].filter((run) => run != null)),
  });
  return (
    <>
      <BackLink href="/models">All reward models</BackLink>
      <Loaded query={model}>{(found) => <Found model={found} />}</Loaded>
    </>
  );
}

function Found({ model }: { model: RewardModelDetail }) {
  const evaluate = useAct(() => dataOf(client.POST("/api/evaluation-runs/", { body: { reward_model: model.id } })));
  const mayAct = canRunJobs(useUser());
  const score = useAct(() => dataOf(client.POST("/api/scoring-runs/", { body: { reward_model: model.id } })));
  const failure = evaluate.error ?? score.error;
  const { evaluation, evaluating } = model;
  const obstacles = [model.evaluation_obstacle, model.scoring_obstacle].filter(Boolean);
  const underWay = [evaluating, ...model.scorings].filter((run) => run !== null).filter(isActive);
  return (
    <>
      <PageTitle
        title={model.name}
        lead={
          <Joined
            parts={[
              says.supervisions[model.supervision],
              model.base || says.madeOnTheSpot,
              <Time at={model.created_at} />,
            ]}
          />
        }
      >
        <Group gap="xs">
          {model.is_current && <span className={classes.current}>{says.current}</span>}
          {mayAct && (
            <Button
              variant="default"
              loading={evaluate.isPending}
              disabled={evaluating !== null || model.evaluation_obstacle !== ""}
              onClick={() => evaluate.mutate()}
            >
              {evaluating ? "Evaluating" : "Evaluate"}
            </Button>
          )}
          {mayAct && (
            <Button
              variant="default"
              loading={score.isPending}
              disabled={model.scorings.some(isActive) || model.scoring_obstacle !== ""}
              onClick={() => score.mutate()}
            >
              Score the pool
            </Button>
          )}
          <Button variant="default" component="a" href={`/api/reward-models/${model.id}/download/`} download>
            Download
          </Button>
        </Group>
      </PageTitle>
      {mayAct &&
        obstacles.map((why) => (
          <Text key={why} size="sm" c="dimmed" mb="xs">
            {why}
          </Text>
        ))}
      {failure && <Problem error={failure} />}
      {underWay.map((run) => (
        <RunProgress key={run.id} run={run} />
      ))}
      {mayAct && !model.is_current && model.supervision === "process" && <Promote model={model} />}
      {evaluation ? <Evaluation run={evaluation} /> : !evaluating && <Text c="dimmed">Not evaluated yet.</Text>}
      {model.supervision === "process" && <PolicyReplay model={model} />}
      <Lineage model={model} />
    </>
  );
}
