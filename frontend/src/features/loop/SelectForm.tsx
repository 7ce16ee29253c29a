import { NativeSelect, NumberInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Phase, RewardModel, SelectionRequest } from "@/api/types";
import { strings } from "@/shared/strings";
import { bestModel, ModelSelect } from "./ModelSelect";
import { useAct } from "./queries";
import { StartForm } from "./StartForm";

const says = strings.loop;
const fields = says.fields;
type Policy = NonNullable<SelectionRequest["policy"]>;

const DEFAULTS = { policy: "convincing" as Policy, size: 100, per_problem: 1, wrong_share: 0.8, seed: 0 };

export function SelectForm({ models, phases }: { models: RewardModel[]; phases: Phase[] }) {
  const [settings, setSettings] = useState(DEFAULTS);
  const [chosenPhase, setPhase] = useState<string | null>(null);
  const [chosenModel, setModel] = useState<string | null>(null);
  const open = phases.filter((phase) => phase.status !== "closed");
  const phase = chosenPhase ?? open[0]?.id ?? "";
  const model = chosenModel ?? bestModel(models);
  const set = (name: keyof typeof DEFAULTS) => (value: number | string) => setSettings({ ...settings, [name]: value });
  const needsModel = settings.policy !== "uniform";
  const obstacle = phase === "" ? says.noPhase : needsModel && model === "" ? says.noModel : null;
  const start = useAct(() =>
    client.POST("/api/selections/", { body: { ...settings, phase, reward_model: needsModel ? model : null } }),
  );
  return (
    <StartForm label={says.start.select} start={start} obstacle={obstacle}>
      <NativeSelect label={fields.phase} value={phase} onChange={(event) => setPhase(event.currentTarget.value)}
        data={open.map(({ id, name }) => ({ value: id, label: name }))} />
      <NativeSelect label={fields.policy} value={settings.policy} onChange={(event) => set("policy")(event.currentTarget.value)}
        data={Object.entries(says.policies).map(([value, label]) => ({ value, label }))} />
      {needsModel && <ModelSelect models={models} value={model} onChange={setModel} />}
      <NumberInput label={fields.size} value={settings.size} onChange={set("size")} min={1} required />
      <NumberInput label={fields.perProblem} value={settings.per_problem} onChange={set("per_problem")} min={1} required />
      <NumberInput label={fields.wrongShare} value={settings.wrong_share} onChange={set("wrong_share")} min={0} max={1} step={0.1} required />
      <NumberInput label={fields.seed} value={settings.seed} onChange={set("seed")} min={0} required />
    </StartForm>
  );
}
