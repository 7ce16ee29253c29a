import { Text, Title } from "@mantine/core";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import type { Run } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";
import { isActive, type RunKind } from "./queries";
import { RunState } from "./RunState";

const says = strings.loop;

interface Props {
  stage: keyof typeof says.stages;
  kind: RunKind;
  query: UseQueryResult<{ results: Run[] }>;
  mayAct: boolean;
  /** What the newest run brought, in a few words. */
  outcome?: string | null;
  children: ReactNode;
}

/** One stage of the loop: what it does, how its newest run goes, and the form that starts another. */
export function StageCard({ stage, kind, query, mayAct, outcome, children }: Props) {
  const run = query.data?.results[0];
  useNews(run);
  return (
    <li className={classes.stage} data-active={(run && isActive(run)) || undefined}>
      <Title order={2} size="h5">{says.stages[stage].title}</Title>
      <Text size="sm" c="dimmed">{says.stages[stage].text}</Text>
      <Loaded query={query}>
        {() => (run ? <RunState kind={kind} run={run} mayAct={mayAct} /> : <Text size="sm" c="dimmed" my="md">{says.never}</Text>)}
      </Loaded>
      {outcome && <Text size="sm" mb="sm">{outcome}</Text>}
      {mayAct && <div className={classes.start}>{children}</div>}
    </li>
  );
}

/** When a run ends, the rest of the page has changed too: new models, new rounds. */
function useNews(run: Run | undefined): void {
  const queries = useQueryClient();
  const wasActive = useRef(false);
  const active = run !== undefined && isActive(run);
  useEffect(() => {
    if (wasActive.current && !active) void queries.invalidateQueries();
    wasActive.current = active;
  }, [active, queries]);
}
