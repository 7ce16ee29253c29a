import { Anchor, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import { client, dataOf } from "@/api/client";
import type { Promotion, RewardModel } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { count, decimal, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { modelsQuery } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { ModelPage } from "./ModelPage";
import classes from "./models.module.css";
import { says } from "./strings";

export default function ModelsPage() {
  return (
    <Switch>
      <Route path="/models/:id">{({ id }) => <ModelPage key={id} id={id} />}</Route>
      <Route><Models /></Route>
    </Switch>
  );
}

function Models() {
  const models = useQuery(modelsQuery);
  const history = useQuery({ queryKey: ["promotions"], queryFn: () => dataOf(client.GET("/api/promotions/")) });
  const rollBack = useAct(() => dataOf(client.POST("/api/promotions/roll-back/", { body: { reason: "" } })));
  const mayAct = canRunJobs(useUser());
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}>{mayAct && history.data?.results.some(({ previous }) => previous) && <AskFirst act={rollBack} name={says.rollBack} question={says.rollBackAsk} />}</PageTitle>
      <Loaded query={models}>{({ results }) => (results.length === 0 ? <Text c="dimmed">{says.none}</Text> : <ModelTable models={results} />)}</Loaded>
      <Title order={2} size="h4" mt="xl" mb="sm">{says.history}</Title>
      <Loaded query={history}>{({ results }) => (results.length === 0 ? <Text c="dimmed">{says.noHistory}</Text> : <History changes={results} />)}</Loaded>
    </>
  );
}

function ModelTable({ models }: { models: RewardModel[] }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={560}>
        <Table.Thead><Table.Tr>{[says.model, says.auc, says.labels, says.trained].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <Table.Tr key={model.id}>
              <Table.Td>
                <Anchor component={Link} href={`/models/${model.id}`}>{model.name}</Anchor> {model.is_current && <span className={classes.current}>{says.current}</span>}
                <Text size="xs" c="dimmed">{says.ways[model.supervision === "process" ? "prm" : "orm"]} · {model.base || says.madeOnTheSpot}</Text>
              </Table.Td>
              <Table.Td>{decimal((model.metrics as { held_out?: Record<string, number> }).held_out?.step_auc)}</Table.Td>
              <Table.Td>{count(model.labels)}</Table.Td>
              <Table.Td>{when(model.created_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function History({ changes }: { changes: Promotion[] }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={620}>
        <Table.Thead><Table.Tr>{[says.since, says.model, says.change, says.by, says.reason].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.at}>
              <Table.Td>{when(change.at)}</Table.Td>
              <Table.Td><Anchor component={Link} href={`/models/${change.reward_model}`}>{change.name}</Anchor></Table.Td>
              <Table.Td>{change.is_rollback ? says.rolledBack : says.promoted}</Table.Td>
              <Table.Td>{change.by ?? "–"}</Table.Td>
              <Table.Td>{change.reason || "–"}{change.overrode && <Text size="xs" c="dimmed">{says.overrode}: {change.overrode}</Text>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
