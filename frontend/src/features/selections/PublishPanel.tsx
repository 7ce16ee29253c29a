import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { Selection } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { percent, when } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
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
  const settings = useQuery(reading("/api/phases/{phase_id}/settings/", { path: { phase_id: selection.phase } })).data;
  const [chosen, setOverlap] = useState<number | string | null>(null);
  const overlap = chosen ?? settings?.overlap ?? 1;
  const publish = useAct(() => client.POST("/api/publications/", { body: { selection: selection.id, overlap: Number(overlap) } }));
  const discard = useAct(() => client.POST("/api/selections/{id}/discard/", { params: { path: { id: selection.id } } }));
  return (
    <>
      <NumberInput label={says.overlap} value={overlap} onChange={setOverlap} min={1} max={100} maw={200} />
      {settings && <Text size="sm" c="dimmed">{settings.gold_set ? says.gold(settings.gold_set, percent(settings.gold_rate ?? 0)) : says.noGold}</Text>}
      {publish.error && <Problem error={publish.error} />}
      <Group align="start">
        <Button loading={publish.isPending} onClick={() => publish.mutate()}>{says.publish}</Button>
        <AskFirst act={discard} name={says.discard} question={says.discardQuestion} size="sm" />
      </Group>
    </>
  );
}

function Published({ id }: { id: string }) {
  const { data: run, dataUpdatedAt } = useQuery(live(reading("/api/publications/{id}/", { path: { id } })));
  if (run?.round) return <Text size="sm">{says.published(run.round.number)} <Link className={classes.link} href={`/phases/${run.round.phase}`}>{says.toRounds}</Link></Text>;
  return run ? <RunState run={run} now={dataUpdatedAt} /> : null;
}
