import { Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Redirect, Route, Switch } from "wouter";
import { MOST, reading } from "@/api/reading";
import type { Queue, WaitingTask } from "@/api/types";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { NotFound } from "@/shared/NotFound";
import { PageTabs } from "@/shared/PageTabs";
import { PageTitle } from "@/shared/PageTitle";
import { queuesQuery } from "@/shared/queues";
import { strings } from "@/shared/strings";
import { Time } from "@/shared/Time";
import classes from "./adjudication.module.css";
import { CaseScreen } from "./CaseScreen";
import { says } from "./strings";

const HEADS = [says.problem, says.where, says.labellings, "Since", says.noted];
const SETTLED_HEADS = [says.problem, says.where, says.labellings, "Settled", says.noted];
const LATELY = 20;
const isQueue = (name: string): name is Queue => name in says.queues;

/** What needs a second look, queue by queue. */
export default function AdjudicationPage() {
  const queues = useQuery(queuesQuery);
  return (
    <>
      <PageTitle title={says.title} lead="What needs a second look. Settle it, and see what that changed." />
      <Loaded query={queues}>
        {(list) => (
          <>
            <PageTabs
              name={says.title}
              tabs={list.map(
                ({ queue, waiting }) =>
                  [`/adjudication/${queue}`, says.queue(says.queues[queue][0] ?? queue, waiting)] as const,
              )}
            />
            <Switch>
              <Route path="/adjudication/:queue/:task?">
                {({ queue, task }) =>
                  isQueue(queue) ? <QueueScreen key={queue} queue={queue} task={task} /> : <NotFound />
                }
              </Route>
              <Route>
                <Redirect
                  to={`/adjudication/${list.find(({ waiting }) => waiting > 0)?.queue ?? "disagreement"}`}
                  replace
                />
              </Route>
            </Switch>
          </>
        )}
      </Loaded>
    </>
  );
}

function QueueScreen({ queue, task }: { queue: Queue; task: string | undefined }) {
  const waiting = useQuery(reading("/api/adjudication/{queue}/", { path: { queue }, query: { page_size: MOST } }));
  const [settled, setSettled] = useState<readonly string[]>([]);
  const last = settled.at(-1);
  return (
    <>
      {last !== undefined && last !== task && (
        <Text size="sm" mb="sm" role="status">
          Settled. <Link href={`/adjudication/${queue}/${last}`}>Return to the case</Link>
        </Text>
      )}
      <Loaded query={waiting}>
        {(list) =>
          task === undefined ? (
            <>
              <Waiting queue={queue} tasks={list.results} hasMore={Boolean(list.next)} />
              <SettledLately queue={queue} />
            </>
          ) : (
            <CaseScreen
              queue={queue}
              task={task}
              waiting={list.results.map(({ id }) => id)}
              settled={settled}
              onSettled={(id) => setSettled([...settled, id])}
            />
          )
        }
      </Loaded>
    </>
  );
}

/** `hasMore`: than are shown, and gone through by key. */
function Waiting({ queue, tasks, hasMore }: { queue: Queue; tasks: WaitingTask[]; hasMore: boolean }) {
  return (
    <>
      <Text c="dimmed" mb="md">
        {says.queues[queue][1]} {hasMore && `These are the first ${MOST}.`}
      </Text>
      {tasks.length === 0 ? <Text>Nothing is waiting here.</Text> : <Tasks queue={queue} tasks={tasks} />}
    </>
  );
}

/** The way back to a ruling, to read or reopen it. */
function SettledLately({ queue }: { queue: Queue }) {
  const query = { settled: true, page_size: LATELY };
  const settled = useQuery(reading("/api/adjudication/{queue}/", { path: { queue }, query }));
  return (
    <Loaded query={settled}>
      {({ results }) =>
        results.length > 0 && (
          <>
            <Title order={2} size="h4" mt="xl" mb="sm">
              Recently settled
            </Title>
            <Tasks queue={queue} tasks={results} isSettled />
          </>
        )
      }
    </Loaded>
  );
}

function Tasks({ queue, tasks, isSettled = false }: { queue: Queue; tasks: WaitingTask[]; isSettled?: boolean }) {
  return (
    <Rows rows={tasks} heads={isSettled ? SETTLED_HEADS : HEADS} width={760}>
      {(task) => (
        <Table.Tr key={task.id}>
          <Table.Td w="45%" maw={0}>
            <Link
              className={classes.open}
              href={`/adjudication/${queue}/${task.id}`}
              autoFocus={!isSettled && task === tasks[0]}
            >
              <MathText text={task.statement} isClipped />
            </Link>
          </Table.Td>
          <Table.Td style={{ whiteSpace: "nowrap" }}>
            <bdi>{task.phase_name}</bdi>, {strings.phases.round(task.round_number)}
          </Table.Td>
          <Table.Td>{task.labellings}</Table.Td>
          <Table.Td style={{ whiteSpace: "nowrap" }}>
            <Time at={isSettled ? task.settled_at : task.waiting_since} />
          </Table.Td>
          <Table.Td>
            <bdi>{task.note}</bdi>
          </Table.Td>
        </Table.Tr>
      )}
    </Rows>
  );
}
