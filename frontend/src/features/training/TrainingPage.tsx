import { Anchor, Checkbox, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import { MOST } from "@/api/reading";
import type { TrainingRun } from "@/api/types";
import { decimal, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { pace, RunState } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { Comparison } from "./Comparison";
import { says } from "./strings";
import { TrainForm } from "./TrainForm";
import classes from "./training.module.css";

/** Start a training, watch it, and put any two side by side. Until two are chosen, the newest is shown. */
export default function TrainingPage() {
  const [chosen, setChosen] = useState<string[]>([]);
  const runs = useQuery({
    queryKey: ["training-runs"],
    queryFn: () => dataOf(client.GET("/api/training-runs/", { params: { query: { page_size: MOST } } })),
    refetchInterval: ({ state }) => pace(state.data?.results),
  });
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2));
  const mayAct = canRunJobs(useUser());
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      {mayAct && <TrainForm />}
      <Loaded query={runs}>
        {({ results }) => (results.length === 0 ? <Text c="dimmed">{says.none}</Text> : (
          <>
            <Title order={2} size="h4" mt="xl">{says.runs}</Title>
            <Text size="sm" c="dimmed" mb="sm">{says.compare}</Text>
            <Trainings runs={results} now={runs.dataUpdatedAt} chosen={chosen} onToggle={toggle} />
            <Comparison runs={chosen.length ? results.filter(({ id }) => chosen.includes(id)) : results.slice(0, 1)} />
          </>
        ))}
      </Loaded>
    </>
  );
}

function Trainings({ runs, now, chosen, onToggle }: { runs: TrainingRun[]; now: number; chosen: string[]; onToggle: (id: string) => void }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={620}>
        <Table.Thead><Table.Tr>{[says.compared, says.run, says.status, says.auc, says.started].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td><Checkbox aria-label={says.toCompare(run.name)} checked={chosen.includes(run.id)} onChange={() => onToggle(run.id)} /></Table.Td>
              <Table.Td>{run.reward_model ? <Anchor component={Link} href={`/models/${run.reward_model}`}>{run.name}</Anchor> : run.name}</Table.Td>
              <Table.Td className={classes.state}><RunState run={run} now={now} /></Table.Td>
              <Table.Td>{decimal((run.metrics.held_out ?? run.metrics.epochs?.at(-1))?.step_auc)}</Table.Td>
              <Table.Td>{when(run.created_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
