import { Checkbox, NativeSelect, NumberInput, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { ByName, QuotaByEnum, RankByEnum, Reach, SelectionRequest } from "@/api/types";
import { isCurrentIn, modelOptions, usePrms, options, poolQuery, sourcesOf } from "@/shared/forms/choices";
import { percent } from "@/shared/words/format";
import { unread } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { POLICIES } from "@/shared/words/vocabularies";
import type { useForm } from "@/shared/forms/useForm";

type Parts = "values" | "set" | "error" | "text" | "amount" | "flag";
/** A form that has these among its fields. */
type FormOf<Values extends object> = Pick<ReturnType<typeof useForm<Values, unknown>>, Parts>;

/** The phase's default policy: convincing if it has a current model of its own, otherwise uniform. */
export function useSuitedPolicy(phase: string): "convincing" | "uniform" {
  return usePrms().some(isCurrentIn(phase)) ? "convincing" : "uniform";
}

/** The fields for a round's selection and publication. */
export function RoundFields({ form, phase }: { form: FormOf<RoundValues>; phase: string }) {
  const { values, set, error, text, amount, flag } = form;
  const models = usePrms();
  const settings = useSettings(phase);
  const pool = useQuery(poolQuery).data;
  const sources = settings?.sources.length ? settings.sources.filter(Boolean) : sourcesOf(pool);
  const suited = useSuitedPolicy(phase);
  const policy = values.policy || suited;
  const share = (name: "wrong_share" | "random_share") => ({
    error: error(name),
    value: Number.isNaN(values[name]) ? "" : Math.round(1000 * values[name]) / 10,
    onChange: (value: number | string) => set({ [name]: value === "" ? NaN : Number(value) / 100 }),
    min: 0,
    max: 100,
    suffix: " %",
    required: true,
  });
  const isByModel = !DRAWN.has(policy);
  return (
    <>
      <NativeSelect
        label="Policy"
        description={says.policyHints[policy]}
        {...text("policy")}
        value={policy}
        data={options(POLICIES).map((each) => ({
          ...each,
          disabled: models.length === 0 && !DRAWN.has(each.value),
        }))}
      />
      {models.length === 0 && <Dim>There is no reward model yet: the first round is drawn uniformly.</Dim>}
      {isByModel && (
        <NativeSelect
          label="Reward model"
          error={error("reward_model")}
          value={values.reward_model ?? ""}
          onChange={(event) => set({ reward_model: event.currentTarget.value || null })}
          data={[
            { value: "", label: says.current(models.find(isCurrentIn(phase))?.name) },
            ...modelOptions(models, phase),
          ]}
        />
      )}
      {isByModel && (
        <NativeSelect
          label="Rank by"
          description={says.rankHints[values.rank_by]}
          {...text("rank_by")}
          data={options(says.ranks)}
        />
      )}
      <NumberInput label="Solutions" description={says.anyNumber} {...amount("size")} min={1} />
      {policy !== "uniform" && (
        <NumberInput label="Per problem" description={says.anyNumber} {...amount("per_problem")} min={1} />
      )}
      {MIXED.has(policy) && (
        <NumberInput
          label="Share of wrong answers"
          description="The rest is the best of what remains, right or wrong."
          {...share("wrong_share")}
        />
      )}
      {policy !== "uniform" && (
        <NumberInput
          label="Random arm"
          description="Share of the round that is drawn uniformly, to compare the policy with. Annotators can’t tell."
          {...share("random_share")}
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
      {policy !== "uniform" && <Quotas form={form} />}
      <PublicationFields form={form} phase={phase} />
      <NumberInput
        label="Seed"
        description="Decides ties, the draw and the serving order."
        {...amount("seed")}
        min={0}
        required
      />
      <Checkbox label="Leave out what another phase has published" {...flag("is_fresh")} />
      {policy !== "uniform" && (
        <Checkbox label="Also pick what has no final answer, or was cut off" {...flag("takes_unfinished")} />
      )}
      {isByModel && <Checkbox label="Set aside probable grader errors" {...flag("sets_suspects_aside")} />}
    </>
  );
}

/** The shares of the policy's picks by subject, level or generator. */
function Quotas({ form: { values, set, error, text } }: { form: FormOf<RoundValues> }) {
  const [lines, setLines] = useState(() =>
    Object.entries(values.quotas)
      .map(([value, part]) => `${value}: ${100 * part}`)
      .join("\n"),
  );
  return (
    <>
      <NativeSelect label="Quotas" {...text("quota_by")} data={options(says.quotas)} />
      {values.quota_by && (
        <Textarea
          label="Shares in %"
          description="One per line, such as “Algebra: 40”; the rest has any other value. Empty: as many of each."
          error={unreadIn(lines) ?? error("quotas")}
          value={lines}
          onChange={({ currentTarget: { value } }) => {
            setLines(value);
            set({ quotas: quotasOf(value) });
          }}
          autosize
          minRows={2}
        />
      )}
    </>
  );
}

const QUOTA = /^(.*):\s*(\d+(?:\.\d+)?)\s*%?\s*$/;
const quotaLines = (lines: string) => lines.split("\n").filter((line) => line.trim());

/** Reads the percentage after each line's last colon. A line without one gives NaN, which the server refuses. */
export function quotasOf(lines: string): ByName<number> {
  const found = quotaLines(lines).map((line) => {
    const [, value = line, part = NaN] = QUOTA.exec(line) ?? [];
    return [value.trim(), Number(part) / 100] as const;
  });
  return Object.fromEntries(found);
}

function unreadIn(lines: string): string | undefined {
  const line = quotaLines(lines).find((each) => !QUOTA.test(each));
  return line && `“${line}” has no share: write it like “Algebra: 40”.`;
}

type Publication = FormOf<Pick<RoundValues, "overlap" | "gold_set">>;

/** The fields for a round's publication, with the effect of the chosen gold set. */
export function PublicationFields({
  form: { values, set, error, amount },
  phase,
}: {
  form: Publication;
  phase: string;
}) {
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

/** The effect of hiding a gold set among a round's tasks. */
function effectOf({ fresh, drawn, solutions }: Reach, rate: number): string {
  const share = fresh === solutions ? `All ${solutions}` : `${fresh} of ${solutions}`;
  const others = [
    drawn < solutions && "are from outside the phase’s sources",
    fresh < drawn && "were labelled in it before",
  ].filter(Boolean);
  return [
    `${share} can be hidden${others.length > 0 ? `; the others ${others.join(" or ")}` : ""}.`,
    rate > 0
      ? `${percent(rate)} of the round’s tasks will be gold, if there is enough that looks like them; each is labelled as often as any task.`
      : "None of it is served: the phase’s share of tasks that is gold is 0 %.",
  ]
    .filter(Boolean)
    .join(" ");
}

type Policy = NonNullable<SelectionRequest["policy"]>;
/** The policies that need no model, and those with a set share of wrong answers. */
const DRAWN = new Set<Policy>(["random_wrong", "uniform"]);
const MIXED = new Set<Policy>(["convincing", "whole_pool", "random_wrong"]);
type Round = Required<Omit<SelectionRequest, "phase">>;

/** A round's settings. An empty policy stands for the phase's default (`useSuitedPolicy`). */
type RoundValues = Omit<Round, "policy"> & { policy: Policy | "" };

export const ROUND_DEFAULTS: RoundValues = {
  policy: "",
  reward_model: null,
  size: 100,
  per_problem: 1,
  wrong_share: 0.8,
  rank_by: "product",
  random_share: 0.1,
  takes_unfinished: false,
  quota_by: "",
  quotas: {},
  source: "",
  is_fresh: false,
  sets_suspects_aside: true,
  seed: 0,
  overlap: null,
  gold_set: null,
};

/** The fields of a row that has others, too. */
export function roundValues(row: Round): RoundValues {
  const names = Object.keys(ROUND_DEFAULTS) as (keyof Round)[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Round;
}

/** Returns the fields as they are sent; `suited` is the policy where none was chosen. */
export function roundBody<Values extends RoundValues>(values: Values, suited: Policy) {
  const policy = values.policy || suited;
  return {
    ...values,
    policy,
    reward_model: DRAWN.has(policy) ? null : values.reward_model,
    per_problem: policy === "uniform" ? null : values.per_problem,
    quotas: values.quota_by ? values.quotas : {},
  };
}

/** The texts of a round's settings, the same on every page. */
export const says = {
  anyNumber: "At most; empty: any number.",
  overlap: "Labellings per task",
  policyHints: {
    convincing: "Problems are drawn at random; of each, the wrong answers that the model takes for right.",
    whole_pool: "Ranks all solutions together: a few kinds of problems may fill the round.",
    uncertainty: "Problems are drawn at random; of each, what the model scores nearest to one half, right or wrong.",
    random_wrong: "As many wrong answers, but drawn at random: is it being convincing that helps? It needs no model.",
    uniform: "A plain sample of the pool, to compare the others with. It needs no model.",
    actprm:
      "A sample of what its heads are in doubt about or differ on, up to the first predicted error. It needs a model trained with an ensemble.",
  },
  ranks: {
    product: "All steps are right (product)",
    mean: "Mean of the steps",
    minimum: "Weakest step",
  } satisfies Record<RankByEnum, string>,
  rankHints: {
    product: "As in the paper. A product favours short solutions: compare the preview’s lengths and expected labels.",
    mean: "The same for short and long solutions, but one bad step of many counts little.",
    minimum: "A solution is as good as its weakest step.",
  },
  quotas: { "": "None", subject: "By subject", level: "By level", generator: "By generator" } satisfies Record<
    QuotaByEnum | "",
    string
  >,
  current: (name: string | undefined) =>
    name ? `The phase’s current one (${name})` : "The phase’s current one: none yet",
  ofPhase: (what: string | number) => `Phase setting: ${what}`,
  set: (name: string, drawn: number, solutions: number) =>
    `${name} (${drawn === solutions ? solutions : `${drawn} of ${solutions}`})`,
  fewer: (found: number, wanted: number) => `${found} of the ${wanted} requested; there are no more matches.`,
  hidden: (hidden: number, inSet: number, name: string) =>
    `${hidden} of the ${inSet} solutions in gold set “${name}” ${hidden === 1 ? "is" : "are"} hidden in it`,
};
