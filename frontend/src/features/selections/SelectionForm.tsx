import { Button, Checkbox, NativeSelect, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { SelectionRequest } from "@/api/types";
import { errorBeside, errorOf } from "@/shared/fieldErrors";
import { usePrms } from "@/shared/models";
import { phasesQuery } from "@/shared/phases";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";

const fields = says.fields;
type Policy = NonNullable<SelectionRequest["policy"]>;
const DEFAULTS = { policy: "convincing" as Policy, limit: "overall", number: 100 as number | string, each: 1 as number | string, share: 80 as number | string, source: "", seed: 0 as number | string, is_fresh: false, sets_suspects_aside: true };

function numberOr(value: number | string, other: number | null): number | null {
  return value === "" ? other : Number(value);
}

function bodyOf(wanted: typeof DEFAULTS): Omit<SelectionRequest, "phase"> {
  const { policy, source, is_fresh, sets_suspects_aside } = wanted;
  const limits = wanted.limit === "overall" ? { size: numberOr(wanted.number, 1), per_problem: numberOr(wanted.each, null) } : { size: null, per_problem: numberOr(wanted.each, 1) };
  return { policy, source, is_fresh, sets_suspects_aside, ...limits, wrong_share: Number(wanted.share) / 100, seed: Number(wanted.seed) };
}

/** Asks for a selection; its page is the preview. */
export function SelectionForm() {
  const [, go] = useLocation();
  const [wanted, setWanted] = useState(DEFAULTS);
  const [chosen, setChosen] = useState<{ phase?: string; model?: string }>({});
  const phases = (useQuery(phasesQuery).data?.results ?? []).filter(({ status }) => status !== "closed" && status !== "archived");
  const models = usePrms();
  const sources = useQuery({ queryKey: ["pool"], queryFn: () => dataOf(client.GET("/api/pool/")) }).data?.sources ?? [];
  const phase = chosen.phase ?? phases[0]?.id ?? "";
  const model = chosen.model ?? (models.find(({ is_current }) => is_current) ?? models[0])?.id ?? "";
  const needsModel = wanted.policy !== "uniform";
  const obstacle = phase === "" ? says.noPhase : needsModel && model === "" ? says.noModel : null;
  const act = useAct(() => dataOf(client.POST("/api/selections/", { body: { ...bodyOf(wanted), phase, reward_model: needsModel ? model : null } })), (made) => go(`/selections/${made.id}`));
  const errors = errorOf(act.error);
  const set = <Name extends keyof typeof DEFAULTS>(name: Name) => (value: (typeof DEFAULTS)[Name]) => setWanted({ ...wanted, [name]: value });

  const rest = errorBeside(act.error, ["phase", "reward_model", "size", "per_problem", "wrong_share", "seed"]);
  return (
    <Stack component="form" gap="sm" onSubmit={(event: SubmitEvent) => { event.preventDefault(); act.mutate(); }}>
      <NativeSelect label={fields.phase} value={phase} onChange={(event) => setChosen({ ...chosen, phase: event.currentTarget.value })} data={phases.map(({ id, name }) => ({ value: id, label: name }))} error={errors("phase")} />
      <NativeSelect label={fields.policy} description={says.policyHints[wanted.policy]} value={wanted.policy} onChange={(event) => set("policy")(event.currentTarget.value as Policy)}
        data={Object.entries(says.policies).map(([value, label]) => ({ value, label }))} />
      {needsModel && <NativeSelect label={fields.model} value={model} onChange={(event) => setChosen({ ...chosen, model: event.currentTarget.value })} data={models.map(({ id, name }) => ({ value: id, label: name }))} error={errors("reward_model")} />}
      <div>
        <Text size="sm" fw={500} mb={4} id="limit">{fields.limit}</Text>
        <SegmentedControl fullWidth aria-labelledby="limit" value={wanted.limit} onChange={set("limit")} data={[{ value: "overall", label: fields.overall }, { value: "each", label: fields.perProblem }]} />
      </div>
      {wanted.limit === "overall" && <NumberInput label={fields.number} value={wanted.number} onChange={set("number")} min={1} required error={errors("size")} />}
      <NumberInput label={fields.each} description={wanted.limit === "overall" ? fields.eachHint : undefined} value={wanted.each} onChange={set("each")} min={1} required={wanted.limit !== "overall"} error={errors("per_problem")} />
      {needsModel && <NumberInput label={fields.share} description={fields.shareHint} value={wanted.share} onChange={set("share")} min={0} max={100} suffix=" %" required error={errors("wrong_share")} />}
      <NativeSelect label={fields.source} value={wanted.source} onChange={(event) => set("source")(event.currentTarget.value)}
        data={[{ value: "", label: fields.anySource }, ...sources.filter(({ source }) => source !== "").map(({ source }) => ({ value: source, label: source }))]} />
      <Checkbox label={fields.isFresh} checked={wanted.is_fresh} onChange={(event) => set("is_fresh")(event.currentTarget.checked)} />
      {needsModel && <Checkbox label={fields.aside} checked={wanted.sets_suspects_aside} onChange={(event) => set("sets_suspects_aside")(event.currentTarget.checked)} />}
      <NumberInput label={fields.seed} value={wanted.seed} onChange={set("seed")} min={0} required error={errors("seed")} />
      {rest && <Problem error={rest} />}
      <Button type="submit" loading={act.isPending} disabled={obstacle !== null}>{says.start}</Button>
      {obstacle && <Text size="sm" c="dimmed">{obstacle}</Text>}
    </Stack>
  );
}
