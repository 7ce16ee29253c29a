import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { RewardModel, Selection } from "@/api/types";
import { count, decimal } from "@/shared/format";
import { modelsQuery } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { Problem } from "@/shared/Problem";
import { live, pace } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import classes from "./loop.module.css";
import { StageCard } from "./StageCard";
import { says } from "./strings";

const NEWEST = { query: { page_size: 1 } };

/** Where the loop stands: the newest job of each stage, live, and the way to the next. */
export default function LoopPage() {
  const mayAct = canRunJobs(useUser());
  const trainings = useQuery(live(reading("/api/training-runs/", NEWEST)));
  const scorings = useQuery(live(reading("/api/scoring-runs/", NEWEST)));
  const selections = useQuery(live(reading("/api/selections/", NEWEST)));
  const publications = useQuery(live(reading("/api/publications/", NEWEST)));
  const models = useQuery({ ...modelsQuery, refetchInterval: () => pace(trainings.data?.results) });
  const current = models.data?.find(({ is_current }) => is_current);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}>
        {current && <Text size="sm" c="dimmed">{says.current}: <Anchor component={Link} href={`/models/${current.id}`}>{current.name}</Anchor></Text>}
      </PageTitle>
      {!mayAct && <Text size="sm" c="dimmed" mb="md">{says.readOnly}</Text>}
      <ol className={classes.line}>
        <StageCard stage="train" query={trainings} outcome={({ name, metrics, reward_model }) => ({ text: says.trained(name, decimal(metrics.held_out?.step_auc)), href: `/models/${reward_model ?? ""}` })}>
          {mayAct && <Button fullWidth component={Link} href="/training">{says.acts.train}</Button>}
        </StageCard>
        <StageCard stage="score" query={scorings} outcome={({ summary, reward_model }) => ({ text: says.scored(count(summary.scored ?? 0)), href: `/models/${reward_model}` })}>
          {mayAct && <Score model={current} />}
        </StageCard>
        <StageCard stage="select" query={selections} outcome={({ id, summary }) => ({ text: says.picked(count(summary.picked ?? 0), count(summary.candidates ?? 0)), href: `/selections/${id}` })}>
          <Button fullWidth component={Link} href="/selections">{says.acts.select}</Button>
        </StageCard>
        <StageCard stage="publish" query={publications} outcome={({ round }) => ({ text: says.published(round?.number ?? 0), href: `/phases/${round?.phase ?? ""}` })}>
          <Publish selection={selections.data?.results[0]} />
        </StageCard>
      </ol>
    </>
  );
}

function Score({ model }: { model: RewardModel | undefined }) {
  const start = useAct((id: string) => dataOf(client.POST("/api/scoring-runs/", { body: { reward_model: id } })));
  return (
    <>
      {start.error && <Problem error={start.error} />}
      <Button fullWidth loading={start.isPending} disabled={!model} onClick={() => model && start.mutate(model.id)}>{says.acts.score}</Button>
      {!model && <Text size="sm" c="dimmed" mt="xs" ta="center">{says.noModel}</Text>}
    </>
  );
}

/** On the newest selection's own page, where its picks are to be read first. */
function Publish({ selection }: { selection: Selection | undefined }) {
  const isReady = selection?.status === "done" && selection.publication === null && selection.discarded_at === null;
  if (isReady) return <Button fullWidth component={Link} href={`/selections/${selection.id}`}>{says.acts.publish}</Button>;
  return <Text size="sm" c="dimmed" ta="center">{says.noSelection}</Text>;
}
