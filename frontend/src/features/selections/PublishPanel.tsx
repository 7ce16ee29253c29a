import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { Selection } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { when } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { PublishForm } from "@/shared/round/PublishForm";
import { live, RunState } from "@/shared/runs";
import { useAct } from "@/shared/useAct";
import classes from "./selections.module.css";
import { says } from "./strings";

/** What becomes of a selection: a round, with gold among its tasks, or nothing. */
export function PublishPanel({ selection }: { selection: Selection }) {
  const params = { params: { path: { id: selection.id } } };
  const replay = useAct(() => dataOf(client.POST("/api/selections/{id}/replay/", params)));
  return (
    <Panel title={says.publishTitle}>
      <Stack gap="sm">
        {selection.publication ? <Published id={selection.publication} /> : selection.discarded_at ? <Text size="sm">{says.discarded(when(selection.discarded_at))}</Text> : <Publish selection={selection} />}
        <div>
          <Button size="compact-sm" variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>{says.replay}</Button>
          <Text size="xs" c="dimmed" mt={4} role="status">{replay.data ? (replay.data.is_same ? says.same(replay.data.picked) : says.differs(replay.data.differing)) : says.replayHint}</Text>
          {replay.error && <Problem error={replay.error} />}
        </div>
      </Stack>
    </Panel>
  );
}

function Publish({ selection }: { selection: Selection }) {
  const discard = useAct(() => client.POST("/api/selections/{id}/discard/", { params: { path: { id: selection.id } } }));
  return <PublishForm selection={selection} name={says.publish}><AskFirst act={discard} name={says.discard} question={says.discardQuestion} size="sm" /></PublishForm>;
}

function Published({ id }: { id: string }) {
  const { data: run, dataUpdatedAt } = useQuery(live(reading("/api/publications/{id}/", { path: { id } })));
  if (run?.round) return <Text size="sm">{says.published(run.round.number)} <Link className={classes.link} href={`/phases/${run.round.phase}`}>{says.toRounds}</Link></Text>;
  return run ? <RunState run={run} now={dataUpdatedAt} /> : null;
}
