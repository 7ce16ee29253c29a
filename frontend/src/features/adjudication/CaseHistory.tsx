import { Text, Title } from "@mantine/core";
import type { TaskCase } from "@/api/types";
import { Difference } from "@/shared/Difference";
import { staffStrings } from "@/shared/staffStrings";
import { TimeIn } from "@/shared/Time";
import classes from "./adjudication.module.css";
import { says } from "./strings";

/** What was settled before, and every row that it changed. */
export function CaseHistory({ cases }: { cases: TaskCase["cases"] }) {
  const settled = cases.filter(({ settled_at }) => settled_at !== null);
  if (settled.length === 0) return null;
  return (
    <section className={classes.history}>
      <Title order={2} size="h4">
        {says.history}
      </Title>
      {settled.map((each) => (
        <article key={each.id} className={classes.settled}>
          <Text fw={600}>
            {says.settled}: {each.outcome ? says.outcomes[each.outcome][0] : ""}{" "}
            <Text span size="sm" c="dimmed" fw={400}>
              <TimeIn at={each.settled_at}>{(time) => says.by(each.by, time)}</TimeIn>
            </Text>
          </Text>
          {each.note && (
            <Text dir="auto" style={{ whiteSpace: "pre-wrap" }}>
              {each.note}
            </Text>
          )}
          <Text size="sm" c="dimmed" mt="xs">
            {says.effects}
          </Text>
          {each.effects.length < 2 && <Text size="sm">{says.noEffects}</Text>}
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
        </article>
      ))}
    </section>
  );
}
