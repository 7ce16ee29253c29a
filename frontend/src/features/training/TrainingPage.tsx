import { Anchor, Checkbox, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { TrainingRun } from "@/api/types";
import { decimal, when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { PageTitle } from "@/shared/PageTitle";
import { live, RunState } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { usePages } from "@/shared/usePages";
import { Comparison } from "./Comparison";
import { says } from "./strings";
import { TrainForm } from "./TrainForm";
import classes from "./training.module.css";

const HEADS = [says.compared, says.run, says.status, says.auc, says.started];

/** Start a training, watch it, and put any two side by side. Until two are chosen, the newest is shown. */
export default function TrainingPage() {
  const [chosen, setChosen] = useState<TrainingRun[]>([]);
  const { list } = usePages({}, (query) => live(reading("/api/training-runs/", { query })));
  const mayAct = canRunJobs(useUser());
  const isChosen = ({ id }: TrainingRun) => chosen.some((run) => run.id === id);
  const toggle = (run: TrainingRun) => setChosen(isChosen(run) ? chosen.filter(({ id }) => id !== run.id) : [...chosen, run].slice(-2));
  const runs = list.query.data?.results ?? [];
  const compared = chosen.length ? chosen.map((run) => runs.find(({ id }) => id === run.id) ?? run) : runs.slice(0, 1);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      {mayAct && <TrainForm />}
      <Title order={2} size="h4" mt="xl">{says.runs}</Title>
      <Text size="sm" c="dimmed" mb="sm">{says.compare}</Text>
      <Listing {...list} none={says.none} heads={HEADS} width={620}>
        {(run) => (
          <Table.Tr key={run.id}>
            <Table.Td><Checkbox aria-label={says.toCompare(run.name)} checked={isChosen(run)} onChange={() => toggle(run)} /></Table.Td>
            <Table.Td>{run.reward_model ? <Anchor component={Link} href={`/models/${run.reward_model}`}>{run.name}</Anchor> : run.name}</Table.Td>
            <Table.Td className={classes.state}><RunState run={run} now={list.query.dataUpdatedAt} /></Table.Td>
            <Table.Td>{decimal((run.metrics.held_out ?? run.metrics.epochs?.at(-1))?.step_auc)}</Table.Td>
            <Table.Td>{when(run.created_at)}</Table.Td>
          </Table.Tr>
        )}
      </Listing>
      {compared.length > 0 && <Comparison runs={compared} />}
    </>
  );
}
