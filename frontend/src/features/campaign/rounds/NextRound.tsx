import { Anchor, Button, Group, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings, Selection } from "@/api/types";
import { Form } from "@/shared/Form";
import { loopQuery } from "@/shared/loop/loop";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { PublishForm } from "@/shared/round/PublishForm";
import { RoundFields, useSuitedPolicy } from "@/shared/round/RoundFields";
import { ROUND_DEFAULTS, roundBody } from "@/shared/round/roundForm";
import { isActive } from "@/shared/runs";
import { useForm } from "@/shared/useForm";
import classes from "../campaign.module.css";
import { says } from "../strings";

const WATCHING_MS = 1_000;

/** Select and publish: two jobs of a worker, watched here. A round that is open must be closed before the next can be published. */
export function NextRound({ phase, isFirst, hasOpen }: { phase: PhaseSettings; isFirst: boolean; hasOpen: boolean }) {
  const [isAnew, setIsAnew] = useState(false);
  const loop = useQuery(loopQuery(phase.id)).data;
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
  const active =
    selection && isActive(selection)
      ? says.next.selecting
      : publication && isActive(publication)
        ? says.next.publishing
        : null;
  const failed = loop?.parts.find(
    ({ name, state }) => (name === "select" || name === "publish") && state === "failed",
  )?.run;
  const isReady = selection?.status === "done" && selection.publication === null && !isAnew;
  return (
    <Panel title={isFirst ? says.next.first : says.next.next}>
      {failed && <Problem error={new Error(failed.error)} />}
      {active && (
        <Group gap="sm" role="status">
          <Loader size="xs" />
          <Text>{active}</Text>
        </Group>
      )}
      {!active &&
        (isReady ? (
          <Publish selection={selection} onAnew={() => setIsAnew(true)} />
        ) : (
          <Select phase={phase} onDone={() => setIsAnew(false)} />
        ))}
    </Panel>
  );
}

function Publish({ selection, onAnew }: { selection: Selection; onAnew: () => void }) {
  const { picked = 0, wrong = 0 } = selection.summary;
  return (
    <>
      <Text mb="sm">
        {says.next.picked(picked, wrong)}{" "}
        <Anchor component={Link} href={`/selections/${selection.id}`}>
          {says.next.look}
        </Anchor>
      </Text>
      <PublishForm selection={selection} name={says.next.publish(picked)} className={classes.form}>
        <Button variant="default" onClick={onAnew}>
          {says.next.anew}
        </Button>
      </PublishForm>
    </>
  );
}

function Select({ phase, onDone }: { phase: PhaseSettings; onDone: () => void }) {
  const suited = useSuitedPolicy();
  const { form, act, ...fields } = useForm(
    ROUND_DEFAULTS,
    (wanted) => client.POST("/api/selections/", { body: { phase: phase.id, ...roundBody(wanted, suited) } }),
    onDone,
  );
  return (
    <Form {...form}>
      <div className={classes.fields}>
        <RoundFields form={fields} phase={phase.id} />
      </div>
      <div>
        <Button type="submit" loading={act.isPending}>
          {says.next.select}
        </Button>
      </div>
    </Form>
  );
}
