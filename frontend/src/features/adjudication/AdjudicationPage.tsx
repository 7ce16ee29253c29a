import { Anchor, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Redirect, Route, Switch } from "wouter";
import { MOST, reading } from "@/api/reading";
import type { Queue, WaitingTask } from "@/api/types";
import { takeKeyboard } from "@/shared/page/keyboard";
import { TIGHT, type Shown, Rows, RowLink } from "@/shared/tables/Listing";
import { Loaded, NotFound } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { PageTabs } from "@/shared/page/PageTabs";
import { PageTitle } from "@/shared/page/PageTitle";
import { queuesQuery } from "@/shared/runs/queues";
import { strings } from "@/shared/words/strings";
import { Time } from "@/shared/words/Time";
import { CaseScreen } from "./CaseScreen";

const QUEUES: Record<Queue, [name: string, why: string]> = {
  disagreement: ["Disagreements", "People see the first error at different steps."],
  unsure: ["Unsure", "Somebody is unsure about a step."],
  bad_problem: ["Bad problems", "Somebody says that the problem is bad."],
  reference_answer: ["Reference answers", "Somebody reports that the reference answer looks wrong."],
  gold: ["Disputed gold", "Somebody says that the experts’ labels look wrong."],
  give_up: ["Give-ups", "Somebody gave up."],
  question: ["Questions", "Somebody asks a question about the task."],
  steps: ["Cuts of steps", "Somebody says that a step is cut wrongly."],
  grader: ["Grader errors", "Graded wrong or unsure, but somebody labelled the whole solution and found no error."],
  second_look: ["Second looks", "A second look at a step disagrees with its label."],
};
const LATELY = 20;
const isQueue = (name: string): name is Queue => Object.hasOwn(QUEUES, name);

/** The cases that need a second look, queue by queue. */
export default function AdjudicationPage() {
  const queues = useQuery(queuesQuery);
  return (
    <>
      <PageTitle title="Adjudication" lead="What needs a second look. Settle it, and see what that changed." />
      <Loaded query={queues}>
        {(list) => (
          <>
            <PageTabs
              name="Adjudication"
              tabs={list.map(({ queue, waiting }) => [
                `/adjudication/${queue}`,
                waiting > 0 ? `${QUEUES[queue][0]} ${waiting}` : QUEUES[queue][0],
              ])}
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
        {({ results, next }) =>
          task === undefined ? (
            <>
              <Text c="dimmed" mb="md">
                {QUEUES[queue][1]} {next && `These are the first ${MOST}.`}
              </Text>
              {results.length === 0 && <Text>Nothing is waiting here.</Text>}
              {results.length > 0 && <Tasks queue={queue} tasks={results} />}
              <SettledLately queue={queue} />
            </>
          ) : (
            <CaseScreen
              queue={queue}
              task={task}
              waiting={results.map(({ id }) => id)}
              settled={settled}
              onSettled={(id) => setSettled([...settled, id])}
            />
          )
        }
      </Loaded>
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
  const columns: Shown<WaitingTask>[] = [
    {
      head: "Problem",
      td: { w: "45%", maw: 0 },
      cell: (task) => (
        <Anchor
          component={RowLink}
          c="inherit"
          inherit
          display="block"
          href={`/adjudication/${queue}/${task.id}`}
          ref={!isSettled && task === tasks[0] ? takeKeyboard : undefined}
        >
          <MathText text={task.statement} markup={task.statement_markup} isClipped />
        </Anchor>
      ),
    },
    {
      head: "Round",
      td: TIGHT,
      cell: ({ phase_name, round_number }) => (
        <>
          <bdi>{phase_name}</bdi>, {strings.phases.round(round_number)}
        </>
      ),
    },
    { head: "Labellings", cell: ({ labellings }) => labellings },
    {
      head: isSettled ? "Settled" : "Since",
      td: TIGHT,
      cell: ({ settled_at, waiting_since }) => <Time at={isSettled ? settled_at : waiting_since} />,
    },
    { head: "Noted", cell: ({ note }) => <bdi>{note}</bdi> },
  ];
  return <Rows columns={columns} keyOf={({ id }) => id} rows={tasks} width={760} />;
}
