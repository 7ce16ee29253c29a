import { Anchor, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { EvaluationMetrics, Promotion, RewardModel } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Estimate } from "@/shared/Estimate";
import { count } from "@/shared/format";
import { Listing, RowLink, Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { modelsQuery } from "@/shared/models";
import { useOrdered } from "@/shared/ordering";
import { PageTitle } from "@/shared/PageTitle";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { ModelPage } from "./ModelPage";
import classes from "./models.module.css";
import { says } from "./strings";

const MODEL_HEADS = [
  { head: says.model, by: "name" },
  { head: "Held-out AUC", by: "-auc" },
  { head: "Labels", by: "-labels" },
  { head: "Trained", by: "-trained" },
];
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
  const rollBack = useAct(() => dataOf(client.POST("/api/promotions/roll-back/", { body: { reason: "" } })));
  const mayAct = canRunJobs(useUser());
  const earlier = models.data?.find(({ is_current }) => is_current)?.rolls_back_to;
  return (
    <>
      <PageTitle
        title="Reward models"
        lead="Every trained model, the current one, and the ones that were current before."
      >
        {mayAct && earlier && <AskFirst act={rollBack} name={says.rollBack} question={says.rollBackAsk(earlier)} />}
      </PageTitle>
      <Loaded query={models}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No reward model yet. Train one first.</Text>
          ) : (
            <Rows rows={sorted(all)} order={order} heads={MODEL_HEADS} width={560}>
              {(model) => <ModelRow key={model.id} model={model} />}
            </Rows>
          )
        }
      </Loaded>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Which model was current when
      </Title>
      <Listing
        {...history}
        none="No model has been current yet."
        heads={["Since", says.model, "Change", "By", "Why"]}
        width={620}
      >
        {(change) => <ChangeRow key={change.at} change={change} />}
      </Listing>
    </>
  );
}

function aucOf({ evaluated, metrics }: RewardModel) {
  return (evaluated ?? (metrics as Pick<EvaluationMetrics, "held_out">)).held_out?.step_auc;
}

function ModelRow({ model }: { model: RewardModel }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={RowLink} href={`/models/${model.id}`}>
          {model.name}
        </Anchor>{" "}
        {model.is_current && <span className={classes.current}>{says.current}</span>}
        <Text size="xs" c="dimmed">
          {says.ways[model.supervision === "process" ? "prm" : "orm"]} · {model.base || says.madeOnTheSpot}
        </Text>
      </Table.Td>
      <Table.Td>
        <Estimate value={aucOf(model)} interval={model.evaluated?.intervals?.step_auc} />
      </Table.Td>
      <Table.Td>{count(model.labels)}</Table.Td>
      <Table.Td>
        <Time at={model.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

function ChangeRow({ change }: { change: Promotion }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Time at={change.at} />
      </Table.Td>
      <Table.Td>
        <Anchor component={RowLink} href={`/models/${change.reward_model}`}>
          {change.name}
        </Anchor>
      </Table.Td>
      <Table.Td>{change.is_rollback ? "rolled back" : "promoted"}</Table.Td>
      <Table.Td>{change.by ?? "–"}</Table.Td>
      <Table.Td>
        {change.reason || "–"}
        {change.overrode && (
          <Text size="xs" c="dimmed">
            Overridden: {change.overrode}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
