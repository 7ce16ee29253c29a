import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Phase } from "@/api/types";
import { strings } from "@/shared/strings";
import { useAct } from "./queries";
import { StartForm } from "./StartForm";

const says = strings.loop;

function nameOfToday(): string {
  return `prm ${new Date().toISOString().slice(0, 16).replace("T", " ")}`;
}

export function TrainForm({ phases }: { phases: Phase[] }) {
  const [name, setName] = useState("");
  const [base, setBase] = useState("");
  const [phase, setPhase] = useState("");
  const [epochs, setEpochs] = useState<number | string>(2);
  const [rate, setRate] = useState("");
  const [seed, setSeed] = useState<number | string>(0);
  const start = useAct(() => {
    const settings = { epochs: Number(epochs), seed: Number(seed), ...(rate !== "" && { learning_rate: Number(rate) }) };
    const body = { name: name.trim() || nameOfToday(), base: base.trim(), phases: phase ? [phase] : [], settings };
    return client.POST("/api/training-runs/", { body });
  });
  return (
    <StartForm label={says.start.train} start={start}>
      <TextInput label={says.fields.name} placeholder={nameOfToday()} value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={100} />
      <TextInput label={says.fields.base} description={says.fields.baseHint} value={base} onChange={(event) => setBase(event.currentTarget.value)} />
      <NativeSelect label={says.fields.phases} value={phase} onChange={(event) => setPhase(event.currentTarget.value)}
        data={[{ value: "", label: says.fields.allPhases }, ...phases.map(({ id, name: label }) => ({ value: id, label }))]} />
      <NumberInput label={says.fields.epochs} value={epochs} onChange={setEpochs} min={1} max={100} required />
      <TextInput label={says.fields.learningRate} placeholder={says.fields.automatic} inputMode="decimal" pattern="\d*\.?\d+(e-?\d+)?" value={rate}
        onChange={(event) => setRate(event.currentTarget.value)} />
      <NumberInput label={says.fields.seed} value={seed} onChange={setSeed} min={0} required />
    </StartForm>
  );
}
