import { Anchor, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Run } from "@/api/types";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { isActive, RunState } from "@/shared/runs";
import classes from "./loop.module.css";
import { says } from "./strings";

interface Props<R> {
  stage: keyof typeof says.stages;
  query: UseQueryResult<{ results: R[] }>;
  /** What a finished run brought, in a few words, and where to see it. */
  outcome: (run: R) => { text: string; href: string };
  /** The way to the next run. */
  children: ReactNode;
}

/** One stage of the loop: what it does, how its newest run goes and what it brought. */
export function StageCard<R extends Run>({ stage, query, outcome, children }: Props<R>) {
  const run = query.data?.results[0];
  return (
    <li className={classes.stage} data-active={(run && isActive(run)) || undefined}>
      <Title order={2} size="h5">{says.stages[stage].title}</Title>
      <Text size="sm" c="dimmed">{says.stages[stage].text}</Text>
      <Loaded query={query}>
        {() => (run ? <Newest run={run} now={query.dataUpdatedAt} outcome={outcome} /> : <Text size="sm" c="dimmed" my="md">{says.never}</Text>)}
      </Loaded>
      <div className={classes.start}>{children}</div>
    </li>
  );
}

function Newest<R extends Run>({ run, now, outcome }: { run: R; now: number } & Pick<Props<R>, "outcome">) {
  const { text, href } = outcome(run);
  return (
    <div className={classes.run}>
      <RunState run={run} now={now} />
      {run.status === "done" && <Anchor component={Link} href={href} size="sm">{text}</Anchor>}
      <Text size="xs" c="dimmed">{says.by(when(run.created_at), run.owner)}</Text>
    </div>
  );
}
