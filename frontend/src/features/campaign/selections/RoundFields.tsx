import { Checkbox, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { Reach } from "@/api/types";
import { percent, plural } from "@/shared/format";
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
        label="Policy"
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
          There is no reward model yet: the first round is drawn uniformly.
        </Text>
      )}
      {isByModel && (
        <NativeSelect
          label="Reward model"
          {...text("reward_model")}
          data={[
            { value: "", label: says.current(current?.name) },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <NumberInput label="Solutions" description={says.anyNumber} {...number("size")} min={1} />
      <NumberInput label="Per problem" description={says.anyNumber} {...number("per_problem")} min={1} />
      {isByModel && (
        <NumberInput
          label="Share of wrong answers"
          description="The rest is the best of what remains, right or wrong."
          {...number("wrong_share")}
          min={0}
          max={100}
          suffix=" %"
          required
        />
      )}
      <NativeSelect
        label="Source"
        {...text("source")}
        data={[
          { value: "", label: settings?.sources.length ? "All of the phase’s sources" : "The whole pool" },
          ...sources,
        ]}
      />
      <PutUpFields overlap={number("overlap")} gold={text("gold_set")} phase={phase} />
      <NumberInput
        label="Seed"
        description="Decides ties, the draw and the serving order."
        {...number("seed")}
        min={0}
        required
      />
      <Checkbox label="Leave out what another phase has published" {...flag("is_fresh")} />
      {isByModel && <Checkbox label="Set aside probable grader errors" {...flag("sets_suspects_aside")} />}
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
  const effect = chosen && effectOf(chosen, rate);
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
          label="Hidden gold"
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

/** What hiding a gold set among a round's tasks will do. */
function effectOf({ drawn, solutions, people_without }: Reach, rate: number): string {
  const share = drawn === solutions ? `All ${solutions}` : `${drawn} of ${solutions}`;
  const others = drawn < solutions ? "; the others are from outside the phase’s sources" : "";
  const [know, get] = people_without === 1 ? ["knows", "gets"] : ["know", "get"];
  const annotators = plural(people_without, "annotator");
  return [
    `${share} can be hidden${others}.`,
    people_without > 0 && `${annotators} of the phase ${know} all of it, from screening for example, and ${get} none.`,
    rate > 0
      ? `${percent(rate)} of what an annotator gets is gold.`
      : "None of it is served: the phase’s share of tasks that is gold is 0 %.",
  ]
    .filter(Boolean)
    .join(" ");
}
