import { Anchor, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RewardModelDetail } from "@/api/types";
import { count, plural } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import classes from "./models.module.css";
import { says } from "./strings";

/** From the labels to the model, and from the model to more labels. */
export function Lineage({ model }: { model: RewardModelDetail }) {
  const rounds = (rows: RewardModelDetail["rounds_before"]) =>
    rows.map((row) => (
      <Anchor key={row.id} component={Link} href={`/phases/${row.phase}`}>
        {says.round(row.phase_name, row.number, count(row.labellings))}
      </Anchor>
    ));
  return (
    <div className={classes.results}>
      <Panel title={says.before}>
        <Behind
          name={says.run}
          rows={[
            <Anchor key="run" component={Link} href="/training">
              {model.run.name}
            </Anchor>,
          ]}
        />
        <Behind
          name={says.snapshot}
          rows={
            model.run.snapshot
              ? [
                  <span key="hash">
                    {model.run.snapshot.labels_hash.slice(0, 16)} · {plural(model.labels, "label")}
                  </span>,
                ]
              : []
          }
        />
        <Behind name={says.roundsBefore} rows={rounds(model.rounds_before)} />
      </Panel>
      <Panel title={says.after}>
        <Behind
          name={says.scored}
          rows={model.solutions_scored ? [<span key="scored">{count(model.solutions_scored)}</span>] : []}
        />
        <Behind
          name={says.selections}
          rows={model.selections.map((row) => (
            <Anchor key={row.id} component={Link} href={`/selections/${row.id}`}>
              {says.selection(row.phase_name, row.policy, count(row.picked))}
            </Anchor>
          ))}
        />
        <Behind name={says.roundsAfter} rows={rounds(model.rounds_after)} />
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
        <Text size="sm" c="dimmed">
          {says.nothing}
        </Text>
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
