import { Button, Group, Loader, NativeSelect, NumberInput, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { PhaseSettings, Selection, SelectionRequest } from "@/api/types";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import classes from "../campaign.module.css";
import { says } from "../strings";

const WATCHING_MS = 1_000;
type Policy = NonNullable<SelectionRequest["policy"]>;

function isActive(run: { status: string } | undefined): boolean {
  return run?.status === "queued" || run?.status === "running";
}

/** Select and publish: two jobs of a worker, watched here. A round that is open must be closed before the next can be published. */
export function NextRound({ phase, number, hasOpen }: { phase: PhaseSettings; number: number; hasOpen: boolean }) {
  const [isAnew, setIsAnew] = useState(false);
  const selection = useQuery({
    queryKey: ["selections", phase.id],
    queryFn: async () => (await dataOf(client.GET("/api/selections/", { params: { query: { page_size: 100 } } }))).results.find((each) => each.phase === phase.id) ?? null,
    refetchInterval: ({ state }) => isActive(state.data ?? undefined) && WATCHING_MS,
  }).data;
  const id = selection?.publication ?? "";
  const publication = useQuery({
    queryKey: ["publications", id],
    queryFn: () => dataOf(client.GET("/api/publications/{id}/", { params: { path: { id } } })),
    enabled: id !== "",
    refetchInterval: ({ state }) => isActive(state.data) && WATCHING_MS,
  }).data;
  if (hasOpen || selection === undefined) return null;
  const active = isActive(selection ?? undefined) ? says.next.selecting : isActive(publication) ? says.next.publishing : null;
  const failed = [selection, publication].find((run) => run?.status === "failed");
  const isReady = selection?.status === "done" && selection.publication === null && !isAnew;
  return (
    <Panel>
      <Title order={2} size="h5" mb="sm">{number === 0 ? says.next.first : says.next.next}</Title>
      {failed && <Problem error={new Error(failed.error)} />}
      {active && <Group gap="sm" role="status"><Loader size="xs" /><Text>{active}</Text></Group>}
      {!active && (isReady ? <Publish phase={phase} selection={selection} onAnew={() => setIsAnew(true)} /> : <Select phase={phase} onDone={() => setIsAnew(false)} />)}
    </Panel>
  );
}

function Publish({ phase, selection, onAnew }: { phase: PhaseSettings; selection: Selection; onAnew: () => void }) {
  const [overlap, setOverlap] = useState<number | string>(phase.overlap ?? 1);
  const publish = useAct(() => client.POST("/api/publications/", { body: { selection: selection.id, overlap: Number(overlap) } }));
  const { picked = 0, wrong = 0 } = selection.summary;
  return (
    <form className={classes.form} onSubmit={(event) => {
      event.preventDefault();
      publish.mutate();
    }}>
      {publish.isError && <Problem error={publish.error} />}
      <Text style={{ flexBasis: "100%" }}>{picked === 0 ? says.next.nothing : says.next.picked(picked, wrong)}</Text>
      {picked > 0 && <NumberInput label={says.next.overlap} value={overlap} onChange={setOverlap} min={1} max={100} required />}
      {picked > 0 && <Button type="submit" loading={publish.isPending}>{says.next.publish(picked)}</Button>}
      <Button variant="default" onClick={onAnew}>{says.next.anew}</Button>
    </form>
  );
}

function Select({ phase, onDone }: { phase: PhaseSettings; onDone: () => void }) {
  const model = useQuery({ queryKey: ["reward-models"], queryFn: () => dataOf(client.GET("/api/reward-models/")) }).data?.results.find((each) => each.is_current);
  const [chosen, setPolicy] = useState<Policy | null>(null);
  const [size, setSize] = useState<number | string>(100);
  const [perProblem, setPerProblem] = useState<number | string>(1);
  const policy = chosen ?? (model ? "convincing" : "uniform");
  const body = { phase: phase.id, policy, size: Number(size), per_problem: Number(perProblem), reward_model: policy === "uniform" ? null : (model?.id ?? null) };
  const select = useAct(() => client.POST("/api/selections/", { body: { ...body, wrong_share: 0.8 } }), onDone);
  const policies = Object.entries(says.next.policies).filter(([name]) => model || name === "uniform");
  return (
    <form className={classes.form} onSubmit={(event) => {
      event.preventDefault();
      select.mutate();
    }}>
      {select.isError && <Problem error={select.error} />}
      <NativeSelect label={says.next.policy} value={policy} onChange={(event) => setPolicy(event.currentTarget.value as Policy)} data={policies.map(([value, label]) => ({ value, label }))} />
      <NumberInput label={says.next.size} value={size} onChange={setSize} min={1} required />
      <NumberInput label={says.next.perProblem} value={perProblem} onChange={setPerProblem} min={1} required />
      <Button type="submit" loading={select.isPending}>{says.next.select}</Button>
      {!model && <Text size="sm" c="dimmed" style={{ flexBasis: "100%" }}>{says.next.needsModel}</Text>}
    </form>
  );
}
