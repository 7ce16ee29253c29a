import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Redirect, Route, Switch } from "wouter";
import type { Queue, WaitingTask } from "@/api/types";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { PageTabs } from "@/shared/PageTabs";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { queuesQuery } from "@/shared/queues";
import { strings } from "@/shared/strings";
import classes from "./adjudication.module.css";
import { CaseScreen } from "./CaseScreen";
import { waitingQuery } from "./queries";
import { says } from "./strings";

const isQueue = (name: string): name is Queue => name in says.queues;

/** What needs a second look, queue by queue. */
export default function AdjudicationPage() {
  const queues = useQuery(queuesQuery);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={queues}>
        {(list) => (
          <>
            <PageTabs name={says.title} tabs={list.map(({ queue, waiting }) => [`/adjudication/${queue}`, says.queue(says.queues[queue][0] ?? queue, waiting)] as const)} />
            <Switch>
              <Route path="/adjudication/:queue/:task?">
                {({ queue, task }) => isQueue(queue) && <QueueScreen key={queue} queue={queue} task={task} />}
              </Route>
              <Route><Redirect to={`/adjudication/${list.find(({ waiting }) => waiting > 0)?.queue ?? "disagreement"}`} replace /></Route>
            </Switch>
          </>
        )}
      </Loaded>
    </>
  );
}

function QueueScreen({ queue, task }: { queue: Queue; task: string | undefined }) {
  const waiting = useQuery(waitingQuery(queue));
  return (
    <Loaded query={waiting}>
      {(list) => (task === undefined
        ? <Waiting queue={queue} tasks={list.results} />
        : <CaseScreen queue={queue} task={task} waiting={list.results.map(({ id }) => id)} />)}
    </Loaded>
  );
}


function Waiting({ queue, tasks }: { queue: Queue; tasks: WaitingTask[] }) {
  const lead = <Text c="dimmed" mb="md">{says.queues[queue][1]}</Text>;
  if (tasks.length === 0) return <>{lead}<Text>{says.empty}</Text></>;
  return (
    <>
      {lead}
      <Panel isFlush>
        <Table highlightOnHover verticalSpacing="sm" miw={620}>
          <Table.Thead><Table.Tr>{[says.problem, says.where, says.labellings, says.since, says.noted].map((name) => <Table.Th key={name} scope="col">{name}</Table.Th>)}</Table.Tr></Table.Thead>
          <Table.Tbody>
            {tasks.map((task, index) => (
              <Table.Tr key={task.id}>
                <Table.Td w="45%" maw={0}><Link className={classes.open} href={`/adjudication/${queue}/${task.id}`} autoFocus={index === 0}><MathText text={task.statement} isClipped /></Link></Table.Td>
                <Table.Td><bdi>{task.phase_name}</bdi>, {strings.phases.round(task.round_number)}</Table.Td>
                <Table.Td>{task.labellings}</Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>{when(task.said_at)}</Table.Td>
                <Table.Td><bdi>{task.note}</bdi></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
    </>
  );
}
