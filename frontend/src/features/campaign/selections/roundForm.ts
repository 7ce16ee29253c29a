import type { SelectionRequest } from "@/api/types";

type Policy = NonNullable<SelectionRequest["policy"]>;
type Round = Required<Omit<SelectionRequest, "phase">>;

/** A round's settings. An empty policy is the one that suits: convincing, as soon as there is a model. */
export type RoundValues = Omit<Round, "policy"> & { policy: Policy | "" };

export const ROUND_DEFAULTS: RoundValues = {
  policy: "",
  reward_model: null,
  size: 100,
  per_problem: 1,
  wrong_share: 0.8,
  source: "",
  is_fresh: false,
  sets_suspects_aside: true,
  seed: 0,
  overlap: null,
  gold_set: null,
};

/** Those of a row that has others, too. */
export function roundValues(row: Round): RoundValues {
  const names = Object.keys(ROUND_DEFAULTS) as (keyof Round)[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Round;
}

/** As they are sent; `suited` is the policy where none was chosen. */
export function roundBody<Values extends RoundValues>(values: Values, suited: Policy) {
  const policy = values.policy || suited;
  return { ...values, policy, reward_model: policy === "uniform" ? null : values.reward_model };
}
