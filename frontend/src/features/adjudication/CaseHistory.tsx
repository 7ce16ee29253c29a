import { Text, Title } from "@mantine/core";
import { useLocation } from "wouter";
import { client } from "@/api/client";
import type { Queue, TaskCase } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Panel, Dim, Tiny } from "@/shared/page/Panel";
import { ACTS, AUDITED } from "@/shared/words/vocabularies";
import { TimeIn } from "@/shared/words/Time";
import { Difference } from "@/shared/text/valueText";
import classes from "./adjudication.module.css";
import { OUTCOMES } from "./ruling";

/** The earlier rulings, and every row that they changed. */
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
        <Panel key={each.id}>
          <article>
            <Text fw={600}>
              Settled: {each.outcome && OUTCOMES[each.outcome].name}{" "}
              <Text span size="sm" c="dimmed" fw={400}>
                <TimeIn at={each.settled_at}>{(time) => `${each.by}, ${time}`}</TimeIn>
                {isReopened(each.id) && ", reopened since"}
              </Text>
            </Text>
            <Text dir="auto" style={{ whiteSpace: "pre-wrap" }}>
              {each.note}
            </Text>
            <Dim mt="xs">What it changed</Dim>
            {each.effects.length < 2 && <Text size="sm">Nothing else was changed.</Text>}
            <ul className={classes.effects}>
              {each.effects
                .filter(({ kind }) => kind !== "case")
                .map((change) => (
                  <li key={change.id}>
                    <Text size="sm" fw={600}>
                      {`${AUDITED[change.kind]}: ${ACTS[change.act]}`}
                    </Text>
                    <Tiny>
                      <bdi>{change.name}</bdi> · <bdi>{change.by}</bdi>
                    </Tiny>
                    <Difference change={change} />
                  </li>
                ))}
            </ul>
            {canReopen && each === newest && !isReopened(each.id) && <Reopen task={task.id} queue={each.queue} />}
          </article>
        </Panel>
      ))}
    </section>
  );
}

function Reopen({ task: id, queue }: { task: string; queue: Queue }) {
  const [, navigate] = useLocation();
  return (
    <ActButton
      act={() => client.POST("/api/adjudication/{queue}/{id}/reopen/", { params: { path: { queue, id } } })}
      onDone={() => navigate(`/adjudication/${queue}/${id}`)}
      question="The case waits again. Its ruling stands until another one takes its place. Models trained and files exported before keep what they read. Gold and verdicts stay until a ruling changes them."
    >
      Reopen
    </ActButton>
  );
}
