import { Button, Collapse, MultiSelect, NativeSelect, NumberInput, Text, TextInput, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { reading, readingAll } from "@/api/reading";
import type { LabelPreview } from "@/api/types";
import { Form } from "@/shared/Form";
import { count } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { options } from "@/shared/options";
import { Facts, Panel } from "@/shared/Panel";
import { phasesQuery } from "@/shared/phases";
import { useForm, type Filled } from "@/shared/useForm";
import { says } from "./strings";
import classes from "./training.module.css";

type Supervision = keyof typeof says.supervisions;
type Wanted = typeof DEFAULTS;
const NUMBERS = { epochs: 2 as Filled, seed: 0 as Filled, lora_rank: 0 as Filled, head_steps: 0 as Filled, patience: 0 as Filled };
const DEFAULTS = {
  ...NUMBERS, supervision: "process" as Supervision, phase: "", round_ids: [] as string[], annotators: [] as string[], consensus: "" as keyof typeof says.readings,
  name: "", base: "", learning_rate: "", precision: "fp32" as "fp32" | "bf16",
};
const HINTS: Partial<Record<keyof typeof NUMBERS, string>> = { lora_rank: says.loraHint, head_steps: says.headHint, patience: says.patienceHint };

function labelsOf({ phase, round_ids, annotators, consensus }: Wanted) {
  return { phase_ids: phase ? [phase] : [], labels: { round_ids, annotators, consensus } };
}

function start(wanted: Wanted) {
  const { supervision, name, base, learning_rate, precision } = wanted;
  const numbers = Object.fromEntries(Object.keys(NUMBERS).map((key) => [key, Number(wanted[key as keyof typeof NUMBERS])]));
  const settings = { ...numbers, precision, ...(learning_rate && { learning_rate: Number(learning_rate) }) };
  const { phase_ids: phases, labels } = labelsOf(wanted);
  const body = { name: name.trim() || today(supervision), base: base.trim(), supervision, ...(supervision === "process" && { phases, labels }), settings };
  return dataOf(client.POST("/api/training-runs/", { body }));
}

/** Which labels, what they hold, and how to learn from them. */
export function TrainForm() {
  const { form, act, values, set, text, number, many } = useForm(DEFAULTS, start);
  const [isOpen, setIsOpen] = useState(false);
  const isProcess = values.supervision === "process";
  const { phase_ids, labels } = labelsOf(values);
  const phases = useQuery(phasesQuery).data ?? [];
  const rounds = useQuery(readingAll("/api/rounds/")).data ?? [];
  const preview = useQuery({ ...reading("/api/label-preview/", { query: { phase_ids, ...labels } }), placeholderData: keepPreviousData });
  const isEmpty = isProcess && preview.data?.labels === 0;
  return (
    <Form {...form} className={classes.form}>
      <Panel title={says.labels}>
        <NativeSelect label={says.supervision} maw="20rem" mb="sm" {...text("supervision")} data={options(says.supervisions)} />
        {isProcess ? (
          <>
            <div className={classes.fields}>
              <NativeSelect label={says.phase} {...text("phase")} onChange={(event) => set({ phase: event.currentTarget.value, round_ids: [] })} data={[{ value: "", label: says.allPhases }, ...phases.map((row) => ({ value: row.id, label: row.name }))]} />
              <MultiSelect label={says.rounds} placeholder={values.round_ids.length ? undefined : says.allRounds} {...many("round_ids")} searchable clearable
                data={rounds.filter((row) => !values.phase || row.phase === values.phase).map((row) => ({ value: row.id, label: says.round(phases.find(({ id }) => id === row.phase)?.name ?? "", row.number) }))} />
              <MultiSelect label={says.annotators} placeholder={values.annotators.length ? undefined : says.everyone} {...many("annotators")} searchable clearable data={preview.data?.annotators.map(({ username }) => username) ?? values.annotators} />
              <NativeSelect label={says.reading} {...text("consensus")} data={options(says.readings)} />
            </div>
            <Title order={3} size="h6" mt="lg" mb="xs">{says.holds}</Title>
            <Loaded query={preview}>{(held) => <Facts facts={factsOf(held)} />}</Loaded>
          </>
        ) : <Text size="sm" c="dimmed">{says.outcomeLead}</Text>}
      </Panel>
      <Panel title={says.model}>
        <div className={classes.fields}>
          <TextInput label={says.name} placeholder={today(values.supervision)} {...text("name")} maxLength={100} />
          <TextInput label={says.base} description={says.baseHint} {...text("base")} />
          <NumberInput label={says.epochs} {...number("epochs")} min={1} required />
          <TextInput label={says.learning_rate} placeholder={says.automatic} inputMode="decimal" pattern="\d*\.?\d+(e-?\d+)?" {...text("learning_rate")} />
        </div>
        <Collapse expanded={isOpen}>
          <div className={classes.fields}>
            {(["seed", "lora_rank", "head_steps", "patience"] as const).map((key) => <NumberInput key={key} label={says[key]} description={HINTS[key]} {...number(key)} min={0} required />)}
            <NativeSelect label={says.precision} {...text("precision")} data={["fp32", "bf16"]} />
          </div>
        </Collapse>
        <div className={classes.acts}>
          <Button type="submit" loading={act.isPending} disabled={isEmpty}>{says.start}</Button>
          <Button variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{says.more}</Button>
          {isEmpty && <span>{says.noLabels}</span>}
        </div>
      </Panel>
    </Form>
  );
}

function today(supervision: Supervision): string {
  return `${supervision === "process" ? "prm" : "orm"} ${new Date().toISOString().slice(0, 16).replace("T", " ")}`;
}

function factsOf(held: LabelPreview) {
  const left = Object.entries(held.left_out).filter(([, number]) => number > 0).map(([reason, number]) => `${count(number)} ${says.reasons[reason] ?? reason}`);
  return [
    { name: says.labellings, value: count(held.labellings) },
    { name: says.ratings, value: count(held.labels) },
    ...(["positive", "neutral", "negative", "unsure"] as const).map((key) => ({ name: says[key], value: count(held[key]) })),
    { name: says.heldOut, value: count(held.split.test ?? 0) },
    { name: says.leftOut, value: <Text fz="md" fw={600} lh={1.8}>{left.join(", ") || says.nothingLeftOut}</Text> },
  ];
}
