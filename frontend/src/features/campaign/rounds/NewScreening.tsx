import { Button, NativeSelect, NumberInput, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { Form } from "@/shared/Form";
import { Panel } from "@/shared/Panel";
import { useAct } from "@/shared/useAct";
import classes from "../campaign.module.css";
import { says } from "../strings";

/** Round -1 of a phase, made of a gold set. */
export function NewScreening({ phase }: { phase: PhaseSettings }) {
  const sets = useQuery(reading("/api/gold/sets/")).data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [size, setSize] = useState<number | string>(30);
  const set = chosen ?? sets[0]?.gold_set ?? "";
  const open = useAct(() => client.POST("/api/phases/{phase_id}/screening/", { params: { path: { phase_id: phase.id } }, body: { gold_set: set, size: Number(size) } }));
  return (
    <Panel>
      <Title order={2} size="h5">{says.screening.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">{sets.length === 0 ? says.screening.noSet : says.screening.lead}</Text>
      {sets.length > 0 && (
        <Form act={open} className={classes.form}>
          <NativeSelect label={says.screening.set} value={set} onChange={(event) => setChosen(event.currentTarget.value)} data={sets.map(({ gold_set, solutions }) => ({ value: gold_set, label: says.screening.setOf(gold_set, solutions) }))} />
          <NumberInput label={says.screening.size} value={size} onChange={setSize} min={1} max={1000} required />
          <Button type="submit" loading={open.isPending}>{says.screening.open}</Button>
        </Form>
      )}
    </Panel>
  );
}
