import { Text, Title } from "@mantine/core";
import { useLocation } from "wouter";
import type { Queue, TaskCase } from "@/api/types";
import { client, dataOf } from "@/api/client";
import { AskFirst } from "@/shared/AskFirst";
import { Difference } from "@/shared/Difference";
import { staffStrings } from "@/shared/staffStrings";
import { TimeIn } from "@/shared/Time";
import { useAct } from "@/shared/useAct";
import classes from "./adjudication.module.css";
import { says } from "./strings";

/** What was settled before, and every row that it changed. */
export function CaseHistory({ task }: { task: TaskCase }) {
  const { cases } = task;
  const settled = cases.filter(({ settled_at }) => settled_at !== null);
  const newest = settled.toSorted((a, b) => (b.settled_at ?? "").localeCompare(a.settled_at ?? ""))[0];
  const isReopened = (id: string) => cases.some(({ reopens }) => reopens === id);
  const canReopen = !task.is_waiting && task.problem.replaced_by === null;
  if (settled.length === 0) return null;
  return (
    <section className={classes.history}>
      <Title order={2} size="h4">
        Rulings so far
      </Title>
      {settled.map((each) => (
        <article key={each.id} className={classes.settled}>
          <Text fw={600}>
            Settled: {each.outcome ? says.outcomes[each.outcome][0] : ""}{" "}
            <Text span size="sm" c="dimmed" fw={400}>
              <TimeIn at={each.settled_at}>{(time) => `${each.by}, ${time}`}</TimeIn>
              {isReopened(each.id) && ", reopened since"}
            </Text>
          </Text>
          {each.note && (
            <Text dir="auto" style={{ whiteSpace: "pre-wrap" }}>
              {each.note}
            </Text>
          )}
          <Text size="sm" c="dimmed" mt="xs">
            What it changed
          </Text>
          {each.effects.length < 2 && <Text size="sm">Nothing else was changed.</Text>}
          <ul className={classes.effects}>
            {each.effects
              .filter(({ kind }) => kind !== "case")
              .map((change) => (
                <li key={change.id}>
                  <Text size="sm" fw={600}>
                    {staffStrings.changes.kinds[change.kind] ?? change.kind}: {change.act}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <bdi>{change.name}</bdi> · <bdi>{change.by}</bdi>
                  </Text>
                  <Difference change={change} />
                </li>
              ))}
          </ul>
          {canReopen && each === newest && !isReopened(each.id) && <Reopen task={task.id} queue={each.queue} />}
        </article>
      ))}
    </section>
  );
}

function Reopen({ task: id, queue }: { task: string; queue: Queue }) {
  const [, navigate] = useLocation();
  const act = useAct(
    () => dataOf(client.POST("/api/adjudication/{queue}/{id}/reopen/", { params: { path: { queue, id } } })),
    () => navigate(`/adjudication/${queue}/${id}`),
  );
  return (
    <AskFirst
      act={act}
      name={says.reopen}
      question="The case waits again. Its ruling stands until another one takes its place. Models trained and files exported before keep what they read. Gold and verdicts stay until a ruling changes them."
    />
  );
}
