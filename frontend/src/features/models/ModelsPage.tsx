import { Anchor, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { EvaluationMetrics, Promotion, RewardModel } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Estimate } from "@/shared/Estimate";
import { count } from "@/shared/format";
import { Listing, RowLink, Rows, type Shown, valuesOf } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { modelsQuery } from "@/shared/choices";
import { useOrdered } from "@/shared/ordering";
import { PageTitle } from "@/shared/PageTitle";
import { Tiny } from "@/shared/Panel";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { baseOf, Current, ModelPage } from "./ModelPage";

const MODELS: Shown<RewardModel>[] = [
  {
    head: "Model",
    by: "name",
    cell: (model) => (
      <>
        <Anchor component={RowLink} href={`/models/${model.id}`}>
          {model.name}
        </Anchor>{" "}
        {model.is_current && <Current />}
        <Tiny>{`${model.supervision === "process" ? "PRM" : "ORM"} · ${baseOf(model)}`}</Tiny>
      </>
    ),
  },
  {
    head: "Held-out AUC",
    by: "-auc",
    value: aucOf,
    cell: (model) => <Estimate value={aucOf(model)} interval={model.evaluated?.intervals?.step_auc} />,
  },
  { head: "Labels", by: "-labels", cell: ({ labels }) => count(labels) },
  { head: "Trained", by: "-created_at", cell: ({ created_at }) => <Time at={created_at} /> },
];

const CHANGES: Shown<Promotion>[] = [
  { head: "Since", cell: ({ at }) => <Time at={at} /> },
  {
    head: "Model",
    cell: ({ reward_model, name }) => (
      <Anchor component={RowLink} href={`/models/${reward_model}`}>
        {name}
      </Anchor>
    ),
  },
  { head: "Change", cell: ({ is_rollback }) => (is_rollback ? "rolled back" : "promoted") },
  { head: "By", cell: ({ by }) => by ?? "–" },
  {
    head: "Why",
    cell: ({ reason, overrode }) => (
      <>
        {reason || "–"}
        {overrode && <Tiny>Overridden: {overrode}</Tiny>}
      </>
    ),
  },
];

export default function ModelsPage() {
  return (
    <Switch>
      <Route path="/models/:id">{({ id }) => <ModelPage key={id} id={id} />}</Route>
      <Route>
        <Models />
      </Route>
    </Switch>
  );
}

function Models() {
  const models = useQuery(modelsQuery);
  const { sorted, order } = useOrdered("-created_at", valuesOf(MODELS));
  const history = usePages({}, (query) => reading("/api/promotions/", { query })).list;
  const rollBack = useAct(() => client.POST("/api/promotions/roll-back/", { body: { reason: "" } }));
  const mayAct = canRunJobs(useUser());
  const earlier = models.data?.find(({ is_current }) => is_current)?.rolls_back_to;
  return (
    <>
      <PageTitle
        title="Reward models"
        lead="Every trained model, the current one, and the ones that were current before."
      >
        {mayAct && earlier && (
          <AskFirst
            act={rollBack}
            name="Roll back"
            question={`“${earlier}”, which was current before, becomes current again.`}
          />
        )}
      </PageTitle>
      <Loaded query={models}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No reward model yet. Train one first.</Text>
          ) : (
            <Rows rows={sorted(all)} order={order} columns={MODELS} keyOf={({ id }) => id} width={560} />
          )
        }
      </Loaded>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Which model was current when
      </Title>
      <Listing
        {...history}
        columns={CHANGES}
        keyOf={({ at }) => at}
        none="No model has been current yet."
        width={620}
      />
    </>
  );
}

function aucOf({ evaluated, metrics }: RewardModel) {
  return (evaluated ?? (metrics as Pick<EvaluationMetrics, "held_out">)).held_out?.step_auc;
}
