import { Checkbox, NativeSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { Reach } from "@/api/types";
import { percent, plural } from "@/shared/format";
import { usePrms } from "@/shared/models";
import { options } from "@/shared/options";
import { poolQuery, sourcesOf } from "@/shared/pool";
import { Quiet } from "@/shared/Quiet";
import { unread } from "@/shared/unread";
import type { useForm } from "@/shared/useForm";
import type { RoundValues } from "./roundForm";
import { says } from "./roundStrings";

type Parts = "values" | "set" | "error" | "text" | "amount" | "flag";
/** A form that has these among its fields. */
type FormOf<Values extends object> = Pick<ReturnType<typeof useForm<Values, unknown>>, Parts>;

/** Which policy suits where nobody chose one. */
export function useSuitedPolicy(): "convincing" | "uniform" {
  return usePrms().length > 0 ? "convincing" : "uniform";
}

/** How a round is made: what is picked for it, and how it is published. */
export function RoundFields({ form, phase }: { form: FormOf<RoundValues>; phase: string }) {
  const { values, set, error, text, amount, flag } = form;
  const models = usePrms();
  const settings = useSettings(phase);
  const pool = useQuery(poolQuery).data;
  const sources = settings?.sources.length ? settings.sources.filter(Boolean) : sourcesOf(pool);
  const suited = useSuitedPolicy();
  const policy = values.policy || suited;
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
      {models.length === 0 && <Quiet>There is no reward model yet: the first round is drawn uniformly.</Quiet>}
      {isByModel && (
        <NativeSelect
          label="Reward model"
          error={error("reward_model")}
          value={values.reward_model ?? ""}
          onChange={(event) => set({ reward_model: event.currentTarget.value || null })}
          data={[
            { value: "", label: says.current(models.find(({ is_current }) => is_current)?.name) },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <NumberInput label="Solutions" description={says.anyNumber} {...amount("size")} min={1} />
      <NumberInput label="Per problem" description={says.anyNumber} {...amount("per_problem")} min={1} />
      {isByModel && (
        <NumberInput
          label="Share of wrong answers"
          description="The rest is the best of what remains, right or wrong."
          error={error("wrong_share")}
          value={Number.isNaN(values.wrong_share) ? "" : Math.round(1000 * values.wrong_share) / 10}
          onChange={(value) => set({ wrong_share: value === "" ? NaN : Number(value) / 100 })}
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
      <PutUpFields form={form} phase={phase} />
      <NumberInput
        label="Seed"
        description="Decides ties, the draw and the serving order."
        {...amount("seed")}
        min={0}
        required
      />
      <Checkbox label="Leave out what another phase has published" {...flag("is_fresh")} />
      {isByModel && <Checkbox label="Set aside probable grader errors" {...flag("sets_suspects_aside")} />}
    </>
  );
}

type PutUp = FormOf<Pick<RoundValues, "overlap" | "gold_set">>;

/** How a round is published, with what comes of the gold that is chosen. */
export function PutUpFields({ form: { values, set, error, amount }, phase }: { form: PutUp; phase: string }) {
  const settings = useSettings(phase);
  const sets = useQuery(reading("/api/phases/{phase_id}/gold/", { path: { phase_id: phase } }));
  const chosen = sets.data?.find(({ gold_set }) => gold_set === (values.gold_set ?? settings?.gold_set));
  const overlap = settings?.overlap ?? 1;
  return (
    <>
      <NumberInput
        label={says.overlap}
        description={says.ofPhase(overlap)}
        placeholder={String(overlap)}
        {...amount("overlap")}
        min={1}
        max={100}
      />
      {settings?.kind !== "alternatives" && (
        <NativeSelect
          label="Hidden gold"
          description={chosen && effectOf(chosen, settings?.gold_rate ?? 0)}
          error={unread(sets) ?? error("gold_set")}
          value={JSON.stringify(values.gold_set)}
          onChange={(event) => set({ gold_set: JSON.parse(event.currentTarget.value) as string | null })}
          data={[
            { value: JSON.stringify(null), label: says.ofPhase(settings?.gold_set || "None") },
            { value: JSON.stringify(""), label: "None" },
            ...(sets.data ?? []).map(({ gold_set, drawn, solutions }) => ({
              value: JSON.stringify(gold_set),
              label: says.set(gold_set, drawn, solutions),
            })),
          ]}
        />
      )}
    </>
  );
}

function useSettings(phase: string) {
  return useQuery(reading("/api/phases/{phase_id}/settings/", { path: { phase_id: phase } })).data;
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
