import { Button, Collapse, MultiSelect, NativeSelect, NumberInput, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { client, dataOf } from "@/api/client";
import { MOST, reading } from "@/api/reading";
import type { LabelPreview } from "@/api/types";
import { count } from "@/shared/format";
import { Facts, Panel } from "@/shared/Panel";
import { phasesQuery } from "@/shared/phases";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";
import classes from "./training.module.css";

type Supervision = keyof typeof says.supervisions;
type Consensus = "" | "majority" | "dawid_skene";
const DEFAULTS = { epochs: 2, seed: 0, lora_rank: 0, head_steps: 0, patience: 0 };
const HINTS: Partial<Record<keyof typeof DEFAULTS, string>> = { lora_rank: says.loraHint, head_steps: says.headHint, patience: says.patienceHint };

/** Which labels, what they hold, and how to learn from them. */
export function TrainForm() {
  const [supervision, setSupervision] = useState<Supervision>("process");
  const [phase, setPhase] = useState("");
  const [roundIds, setRoundIds] = useState<string[]>([]);
  const [annotators, setAnnotators] = useState<string[]>([]);
  const [consensus, setConsensus] = useState<Consensus>("");
  const [name, setName] = useState("");
  const [base, setBase] = useState("");
  const [rate, setRate] = useState("");
  const [precision, setPrecision] = useState<"fp32" | "bf16">("fp32");
  const [numbers, setNumbers] = useState(DEFAULTS);
  const [isOpen, setIsOpen] = useState(false);
  const isProcess = supervision === "process";
  const labels = { round_ids: roundIds, annotators, consensus };
  const asked = { ...labels, phase_ids: phase ? [phase] : [] };
  const phases = useQuery(phasesQuery).data?.results ?? [];
  const rounds = useQuery(reading("/api/rounds/", { query: { page_size: MOST } })).data?.results ?? [];
  const preview = useQuery({ queryKey: ["label-preview", asked], queryFn: () => dataOf(client.GET("/api/label-preview/", { params: { query: asked } })), placeholderData: (shown) => shown });
  const start = useAct(() => {
    const settings = { ...numbers, precision, ...(rate && { learning_rate: Number(rate) }) };
    return dataOf(client.POST("/api/training-runs/", { body: { name: name.trim() || today(supervision), base: base.trim(), supervision, ...(isProcess && { phases: asked.phase_ids, labels }), settings } }));
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate();
  };
  const number = (key: keyof typeof DEFAULTS, min = 0) => (
    <NumberInput key={key} label={says[key]} description={HINTS[key]} min={min} required value={numbers[key]} onChange={(value) => setNumbers({ ...numbers, [key]: Number(value) })} />
  );
  return (
    <form onSubmit={submit} className={classes.form}>
      <Panel>
        <Title order={2} size="h5" mb="sm">{says.labels}</Title>
        <NativeSelect label={says.supervision} maw="20rem" mb="sm" value={supervision} onChange={(event) => setSupervision(event.currentTarget.value as Supervision)}
          data={Object.entries(says.supervisions).map(([value, label]) => ({ value, label }))} />
        {isProcess ? (
          <>
            <div className={classes.fields}>
              <NativeSelect label={says.phase} value={phase} onChange={(event) => { setPhase(event.currentTarget.value); setRoundIds([]); }} data={[{ value: "", label: says.allPhases }, ...phases.map((row) => ({ value: row.id, label: row.name }))]} />
              <MultiSelect label={says.rounds} placeholder={roundIds.length ? undefined : says.allRounds} value={roundIds} onChange={setRoundIds} searchable clearable
                data={rounds.filter((row) => !phase || row.phase === phase).map((row) => ({ value: row.id, label: says.round(phases.find(({ id }) => id === row.phase)?.name ?? "", row.number) }))} />
              <MultiSelect label={says.annotators} placeholder={annotators.length ? undefined : says.everyone} value={annotators} onChange={setAnnotators} searchable clearable data={preview.data?.annotators.map(({ username }) => username) ?? annotators} />
              <NativeSelect label={says.reading} value={consensus} onChange={(event) => setConsensus(event.currentTarget.value as Consensus)} data={[{ value: "", label: says.raw }, { value: "majority", label: says.majority }, { value: "dawid_skene", label: says.dawid_skene }]} />
            </div>
            <Title order={3} size="h6" mt="lg" mb="xs">{says.holds}</Title>
            {preview.error && <Problem error={preview.error} />}
            {preview.data && <Facts facts={factsOf(preview.data)} />}
          </>
        ) : <Text size="sm" c="dimmed">{says.outcomeLead}</Text>}
      </Panel>
      <Panel>
        <Title order={2} size="h5" mb="sm">{says.model}</Title>
        <div className={classes.fields}>
          <TextInput label={says.name} placeholder={today(supervision)} value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={100} />
          <TextInput label={says.base} description={says.baseHint} value={base} onChange={(event) => setBase(event.currentTarget.value)} />
          {number("epochs", 1)}
          <TextInput label={says.learning_rate} placeholder={says.automatic} inputMode="decimal" pattern="\d*\.?\d+(e-?\d+)?" value={rate} onChange={(event) => setRate(event.currentTarget.value)} />
        </div>
        <Collapse expanded={isOpen}>
          <div className={classes.fields}>
            {(["seed", "lora_rank", "head_steps", "patience"] as const).map((key) => number(key))}
            <NativeSelect label={says.precision} value={precision} onChange={(event) => setPrecision(event.currentTarget.value as typeof precision)} data={["fp32", "bf16"]} />
          </div>
        </Collapse>
        {start.error && <Problem error={start.error} />}
        <div className={classes.acts}>
          <Button type="submit" loading={start.isPending} disabled={isProcess && preview.data?.labels === 0}>{says.start}</Button>
          <Button variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{says.more}</Button>
          {isProcess && preview.data?.labels === 0 && <span>{says.noLabels}</span>}
        </div>
      </Panel>
    </form>
  );
}

function today(supervision: Supervision): string {
  return `${supervision === "process" ? "prm" : "orm"} ${new Date().toISOString().slice(0, 16).replace("T", " ")}`;
}

function factsOf(held: LabelPreview) {
  const left = Object.entries(held.left_out).filter(([, number]) => number > 0).map(([reason, number]) => `${count(number)} ${says.reasons[reason] ?? reason}`);
  return [
    ...(["labellings"] as const).map((key) => ({ name: says[key], value: count(held[key]) })),
    { name: says.ratings, value: count(held.labels) },
    ...(["positive", "neutral", "negative", "unsure"] as const).map((key) => ({ name: says[key], value: count(held[key]) })),
    { name: says.heldOut, value: count(held.split.test ?? 0) },
    { name: says.leftOut, value: left.join(", ") || says.nothingLeftOut },
  ];
}
