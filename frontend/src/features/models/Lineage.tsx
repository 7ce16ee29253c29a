import { Anchor, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RewardModelDetail } from "@/api/types";
import { count, plural } from "@/shared/words/format";
import { Dim, Panel } from "@/shared/page/Panel";
import { POLICIES } from "@/shared/words/vocabularies";
import classes from "./models.module.css";

/** The training, snapshot and rounds behind the model, and its uses since. */
export function Lineage({ model }: { model: RewardModelDetail }) {
  const rounds = (rows: RewardModelDetail["rounds_before"]) =>
    rows.map((row) => (
      <Anchor key={row.id} component={Link} href={`/phases/${row.phase}`}>
        {`${row.phase_name}, round ${row.number}: ${count(row.labellings)} labellings`}
      </Anchor>
    ));
  const { snapshot } = model.run;
  return (
    <div className={classes.results}>
      <Panel title="Made from">
        <Behind
          name="Training"
          rows={[
            <Anchor component={Link} href="/training">
              {model.run.name}
            </Anchor>,
          ]}
        />
        <Behind
          name="Snapshot"
          rows={snapshot ? [`${snapshot.labels_hash.slice(0, 16)} · ${plural(model.labels, "label")}`] : []}
        />
        <Behind name="Rounds it learned from" rows={rounds(model.rounds_before)} />
      </Panel>
      <Panel title="Used for">
        <Behind name="Solutions scored" rows={model.solutions_scored ? [count(model.solutions_scored)] : []} />
        <Behind
          name="Selections"
          rows={model.selections.map((row) => (
            <Anchor key={row.id} component={Link} href={`/selections/${row.id}`}>
              {`${row.phase_name}, ${POLICIES[row.policy]}: ${count(row.picked)} picked`}
            </Anchor>
          ))}
        />
        <Behind name="Rounds it selected" rows={rounds(model.rounds_after)} />
      </Panel>
    </div>
  );
}

function Behind({ name, rows }: { name: string; rows: ReactNode[] }) {
  return (
    <section className={classes.behind}>
      <Title order={3} size="h6">
        {name}
      </Title>
      {rows.length === 0 ? (
        <Dim>nothing yet</Dim>
      ) : (
        <ul>
          {rows.map((row, index) => (
            <li key={index}>{row}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
