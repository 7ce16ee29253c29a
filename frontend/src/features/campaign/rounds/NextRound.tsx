import { Button, Group, Loader, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings, Selection, SelectionRequest } from "@/api/types";
import { Form } from "@/shared/Form";
import { modelsQuery } from "@/shared/models";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { isActive } from "@/shared/runs";
import { useForm, type Filled } from "@/shared/useForm";
import classes from "../campaign.module.css";
import { says } from "../strings";

const WATCHING_MS = 1_000;
type Policy = NonNullable<SelectionRequest["policy"]>;

/** Select and publish: two jobs of a worker, watched here. A round that is open must be closed before the next can be published. */
export function NextRound({ phase, isFirst, hasOpen }: { phase: PhaseSettings; isFirst: boolean; hasOpen: boolean }) {
  const [isAnew, setIsAnew] = useState(false);
  const selection = useQuery({
    ...reading("/api/selections/", { query: { phase: phase.id, page_size: 1 } }),
    select: ({ results }) => results[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.results.some(isActive) ?? false) && WATCHING_MS,
  }).data;
  const id = selection?.publication ?? "";
  const publication = useQuery({
    ...reading("/api/publications/{id}/", { path: { id } }),
    enabled: id !== "",
    refetchInterval: ({ state }) => state.data !== undefined && isActive(state.data) && WATCHING_MS,
  }).data;
  if (hasOpen || selection === undefined) return null;
  const active = selection && isActive(selection) ? says.next.selecting : publication && isActive(publication) ? says.next.publishing : null;
  const failed = [selection, publication].find((run) => run?.status === "failed");
  const isReady = selection?.status === "done" && selection.publication === null && !isAnew;
  return (
    <Panel title={isFirst ? says.next.first : says.next.next}>
      {failed && <Problem error={new Error(failed.error)} />}
      {active && <Group gap="sm" role="status"><Loader size="xs" /><Text>{active}</Text></Group>}
      {!active && (isReady ? <Publish phase={phase} selection={selection} onAnew={() => setIsAnew(true)} /> : <Select phase={phase} onDone={() => setIsAnew(false)} />)}
    </Panel>
  );
}

function Publish({ phase, selection, onAnew }: { phase: PhaseSettings; selection: Selection; onAnew: () => void }) {
  const { form, act, number } = useForm({ overlap: (phase.overlap ?? 1) as Filled }, ({ overlap }) => client.POST("/api/publications/", { body: { selection: selection.id, overlap: Number(overlap) } }));
  const { picked = 0, wrong = 0 } = selection.summary;
  return (
    <Form {...form} className={classes.form}>
      <Text style={{ flexBasis: "100%" }}>{picked === 0 ? says.next.nothing : says.next.picked(picked, wrong)}</Text>
      {picked > 0 && <NumberInput label={says.next.overlap} {...number("overlap")} min={1} max={100} required />}
      {picked > 0 && <Button type="submit" loading={act.isPending}>{says.next.publish(picked)}</Button>}
      <Button variant="default" onClick={onAnew}>{says.next.anew}</Button>
    </Form>
  );
}

function Select({ phase, onDone }: { phase: PhaseSettings; onDone: () => void }) {
  const model = useQuery(modelsQuery).data?.find((each) => each.is_current);
  const chosen = (policy: Policy | "") => policy || (model ? "convincing" : "uniform");
  const { form, act, values, text, number } = useForm({ policy: "" as Policy | "", size: 100 as Filled, per_problem: 1 as Filled }, (wanted) => {
    const policy = chosen(wanted.policy);
    const reward_model = policy === "uniform" ? null : (model?.id ?? null);
    return client.POST("/api/selections/", { body: { phase: phase.id, policy, reward_model, size: Number(wanted.size), per_problem: Number(wanted.per_problem), wrong_share: 0.8 } });
  }, onDone);
  return (
    <Form {...form} className={classes.form}>
      <NativeSelect label={says.next.policy} {...text("policy")} value={chosen(values.policy)} data={options(says.next.policies).filter(({ value }) => model || value === "uniform")} />
      <NumberInput label={says.next.size} {...number("size")} min={1} required />
      <NumberInput label={says.next.perProblem} {...number("per_problem")} min={1} required />
      <Button type="submit" loading={act.isPending}>{says.next.select}</Button>
      {!model && <Text size="sm" c="dimmed" style={{ flexBasis: "100%" }}>{says.next.needsModel}</Text>}
    </Form>
  );
}
