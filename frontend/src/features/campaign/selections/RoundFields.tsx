import { Checkbox, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import { percent } from "@/shared/format";
import { usePrms } from "@/shared/models";
import { options } from "@/shared/options";
import { poolQuery, sourcesOf } from "@/shared/pool";
import { unread } from "@/shared/unread";
import type { useForm } from "@/shared/useForm";
import { goldValue, OF_PHASE, type RoundValues } from "./roundForm";
import { says } from "./roundStrings";

type Inputs = ReturnType<typeof useForm<RoundValues, unknown>>;
interface TextInput {
  value: string;
  error: ReturnType<Inputs["number"]>["error"];
  onChange: (event: { currentTarget: { value: string } }) => void;
}
/** Of any form that has a round's settings among its own. */
interface RoundForm {
  values: RoundValues;
  text: (name: "policy" | "reward_model" | "source" | "gold_set") => TextInput;
  number: (name: "size" | "per_problem" | "wrong_share" | "seed" | "overlap") => ReturnType<Inputs["number"]>;
  flag: (name: "is_fresh" | "sets_suspects_aside") => ReturnType<Inputs["flag"]>;
}

/** Which policy suits where nobody chose one. */
export function useSuitedPolicy(): "convincing" | "uniform" {
  return usePrms().length > 0 ? "convincing" : "uniform";
}

/** How a round is made: what is picked for it, and how it is published. */
export function RoundFields({ form, phase }: { form: RoundForm; phase: string }) {
  const { values, text, number, flag } = form;
  const models = usePrms();
  const settings = useSettings(phase);
  const pool = useQuery(poolQuery).data;
  const sources = settings?.sources.length ? settings.sources.filter(Boolean) : sourcesOf(pool);
  const suited = useSuitedPolicy();
  const policy = values.policy || suited;
  const current = models.find(({ is_current }) => is_current);
  const isByModel = policy !== "uniform";
  return (
    <>
      <NativeSelect
        label={says.policy}
        description={says.policyHints[policy]}
        {...text("policy")}
        value={policy}
        data={options(says.policies).map((each) => ({
          ...each,
          disabled: models.length === 0 && each.value !== "uniform",
        }))}
      />
      {models.length === 0 && (
        <Text size="sm" c="dimmed">
          {says.noModel}
        </Text>
      )}
      {isByModel && (
        <NativeSelect
          label={says.model}
          {...text("reward_model")}
          data={[
            { value: "", label: says.current(current?.name) },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <NumberInput label={says.size} description={says.anyNumber} {...number("size")} min={1} />
      <NumberInput label={says.each} description={says.anyNumber} {...number("per_problem")} min={1} />
      {isByModel && (
        <NumberInput
          label={says.share}
          description={says.shareHint}
          {...number("wrong_share")}
          min={0}
          max={100}
          suffix=" %"
          required
        />
      )}
      <NativeSelect
        label={says.source}
        {...text("source")}
        data={[{ value: "", label: settings?.sources.length ? says.allSources : says.wholePool }, ...sources]}
      />
      <PutUpFields overlap={number("overlap")} gold={text("gold_set")} phase={phase} />
      <NumberInput label={says.seed} description={says.seedHint} {...number("seed")} min={0} required />
      <Checkbox label={says.isFresh} {...flag("is_fresh")} />
      {isByModel && <Checkbox label={says.aside} {...flag("sets_suspects_aside")} />}
    </>
  );
}

/** How a round is published, with what comes of the gold that is chosen. */
export function PutUpFields({
  overlap,
  gold,
  phase,
}: {
  overlap: ReturnType<Inputs["number"]>;
  gold: TextInput;
  phase: string;
}) {
  const settings = useSettings(phase);
  const sets = useQuery(reading("/api/phases/{phase_id}/gold/", { path: { phase_id: phase } }));
  const chosen = sets.data?.find(({ gold_set }) =>
    gold.value === OF_PHASE ? gold_set === settings?.gold_set : goldValue(gold_set) === gold.value,
  );
  const rate = settings?.gold_rate ?? 0;
  const effect =
    chosen &&
    [
      says.reach(chosen.drawn, chosen.solutions),
      chosen.people_without > 0 && says.without(chosen.people_without),
      rate > 0 ? says.rate(percent(rate)) : says.noRate,
    ]
      .filter(Boolean)
      .join(" ");
  return (
    <>
      <NumberInput
        label={says.overlap}
        description={says.ofPhase(settings?.overlap ?? 1)}
        placeholder={String(settings?.overlap ?? 1)}
        {...overlap}
        min={1}
        max={100}
      />
      {settings?.kind !== "alternatives" && (
        <NativeSelect
          label={says.gold}
          description={effect}
          {...gold}
          error={unread(sets) ?? gold.error}
          data={[
            { value: OF_PHASE, label: says.ofPhase(settings?.gold_set || says.noGold) },
            { value: goldValue(""), label: says.noGold },
            ...(sets.data ?? []).map(({ gold_set, drawn, solutions }) => ({
              value: goldValue(gold_set),
              label: says.set(gold_set, drawn, solutions),
            })),
          ]}
        />
      )}
    </>
  );
}

function useSettings(phase: string) {
  return useQuery({
    ...reading("/api/phases/{phase_id}/settings/", { path: { phase_id: phase } }),
    enabled: phase !== "",
  }).data;
}
