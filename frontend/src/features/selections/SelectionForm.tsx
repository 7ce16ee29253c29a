import { Button, Checkbox, NativeSelect, NumberInput, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { SelectionRequest } from "@/api/types";
import { Form } from "@/shared/Form";
import { usePrms } from "@/shared/models";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { poolQuery, sourcesOf } from "@/shared/pool";
import { numberOrNull, useForm, type Filled } from "@/shared/useForm";
import { says } from "./strings";

const fields = says.fields;
type Policy = NonNullable<SelectionRequest["policy"]>;
const DEFAULTS = {
  phase: "", reward_model: "", policy: "convincing" as Policy, limit: "overall", size: 100 as Filled, per_problem: 1 as Filled, wrong_share: 80 as Filled, source: "", seed: 0 as Filled,
  is_fresh: false, sets_suspects_aside: true,
};

function bodyOf({ limit, size, per_problem, reward_model, wrong_share, seed, ...rest }: typeof DEFAULTS): SelectionRequest {
  const each = numberOrNull(per_problem);
  const limits = limit === "overall" ? { size: numberOrNull(size) ?? 1, per_problem: each } : { size: null, per_problem: each ?? 1 };
  return { ...rest, ...limits, reward_model: rest.policy === "uniform" ? null : reward_model, wrong_share: Number(wrong_share) / 100, seed: Number(seed) };
}

/** Asks for a selection; its page is the preview. */
export function SelectionForm() {
  const [, go] = useLocation();
  const phases = (useQuery(phasesQuery).data ?? []).filter(({ status }) => status !== "closed" && status !== "archived");
  const models = usePrms();
  const sources = sourcesOf(useQuery(poolQuery).data);
  const best = models.find(({ is_current }) => is_current) ?? models[0];
  const chosen = (wanted: typeof DEFAULTS) => ({ ...wanted, phase: wanted.phase || (phases[0]?.id ?? ""), reward_model: wanted.reward_model || (best?.id ?? "") });
  const { form, act, values, set, text, number, flag } = useForm(
    DEFAULTS,
    (wanted) => dataOf(client.POST("/api/selections/", { body: bodyOf(chosen(wanted)) })),
    (made) => go(`/selections/${made.id}`),
  );
  const { phase, reward_model: model } = chosen(values);
  const needsModel = values.policy !== "uniform";
  const isOverall = values.limit === "overall";
  const obstacle = phase === "" ? says.noPhase : needsModel && model === "" ? says.noModel : null;
  return (
    <Form {...form}>
      <NativeSelect label={fields.phase} {...text("phase")} value={phase} data={phases.map(({ id, name }) => ({ value: id, label: name }))} />
      <NativeSelect label={fields.policy} description={says.policyHints[values.policy]} {...text("policy")} data={options(says.policies)} />
      {needsModel && <NativeSelect label={fields.model} {...text("reward_model")} value={model} data={models.map(({ id, name }) => ({ value: id, label: name }))} />}
      <div>
        <Text size="sm" fw={500} mb={4} id="limit">{fields.limit}</Text>
        <SegmentedControl fullWidth aria-labelledby="limit" value={values.limit} onChange={(limit) => set({ limit })} data={[{ value: "overall", label: fields.overall }, { value: "each", label: fields.perProblem }]} />
      </div>
      {isOverall && <NumberInput label={fields.number} {...number("size")} min={1} required />}
      <NumberInput label={fields.each} description={isOverall ? fields.eachHint : undefined} {...number("per_problem")} min={1} required={!isOverall} />
      {needsModel && <NumberInput label={fields.share} description={fields.shareHint} {...number("wrong_share")} min={0} max={100} suffix=" %" required />}
      <NativeSelect label={fields.source} {...text("source")} data={[{ value: "", label: fields.anySource }, ...sources]} />
      <Checkbox label={fields.isFresh} {...flag("is_fresh")} />
      {needsModel && <Checkbox label={fields.aside} {...flag("sets_suspects_aside")} />}
      <NumberInput label={fields.seed} {...number("seed")} min={0} required />
      <Button type="submit" loading={act.isPending} disabled={obstacle !== null}>{says.start}</Button>
      {obstacle && <Text size="sm" c="dimmed">{obstacle}</Text>}
    </Form>
  );
}
