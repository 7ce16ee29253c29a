import { Anchor, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { EvaluationMetrics, RewardModel } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Estimate } from "@/shared/Estimate";
import { count } from "@/shared/format";
import { Listing, RowLink, Rows } from "@/shared/Listing";
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

const MODEL_HEADS = [
  { head: "Model", by: "name" },
  { head: "Held-out AUC", by: "-auc" },
  { head: "Labels", by: "-labels" },
  { head: "Trained", by: "-trained" },
];
const CHANGE_HEADS = ["Since", "Model", "Change", "By", "Why"];
const MODEL_VALUES = {
  name: ({ name }: RewardModel) => name,
  auc: aucOf,
  labels: ({ labels }: RewardModel) => labels,
  trained: ({ created_at }: RewardModel) => created_at,
};

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
  const { sorted, order } = useOrdered("-trained", MODEL_VALUES);
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
            <Rows rows={sorted(all)} order={order} heads={MODEL_HEADS} width={560}>
              {(model) => [
                <>
                  <Anchor component={RowLink} href={`/models/${model.id}`}>
                    {model.name}
                  </Anchor>{" "}
                  {model.is_current && <Current />}
                  <Tiny>{`${model.supervision === "process" ? "PRM" : "ORM"} · ${baseOf(model)}`}</Tiny>
                </>,
                <Estimate value={aucOf(model)} interval={model.evaluated?.intervals?.step_auc} />,
                count(model.labels),
                <Time at={model.created_at} />,
              ]}
            </Rows>
          )
        }
      </Loaded>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Which model was current when
      </Title>
      <Listing {...history} none="No model has been current yet." heads={CHANGE_HEADS} width={620}>
        {(change) => [
          <Time at={change.at} />,
          <Anchor component={RowLink} href={`/models/${change.reward_model}`}>
            {change.name}
          </Anchor>,
          change.is_rollback ? "rolled back" : "promoted",
          change.by ?? "–",
          <>
            {change.reason || "–"}
            {change.overrode && <Tiny>Overridden: {change.overrode}</Tiny>}
          </>,
        ]}
      </Listing>
    </>
  );
}

function aucOf({ evaluated, metrics }: RewardModel) {
  return (evaluated ?? (metrics as Pick<EvaluationMetrics, "held_out">)).held_out?.step_auc;
}
