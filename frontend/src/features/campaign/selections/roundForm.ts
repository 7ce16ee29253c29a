import type { Selection, SelectionRequest } from "@/api/types";
import { numberOrNull, type Filled } from "@/shared/useForm";

type Policy = NonNullable<SelectionRequest["policy"]>;
export const OF_PHASE = "phase";
const NO_GOLD = "none";
const SET = "set:";

/** A round's settings as inputs hold them. An empty policy is the one that suits: convincing, as soon as there is a model. */
export interface RoundValues {
  policy: Policy | "";
  reward_model: string;
  size: Filled;
  per_problem: Filled;
  wrong_share: Filled;
  source: string;
  is_fresh: boolean;
  sets_suspects_aside: boolean;
  seed: Filled;
  overlap: Filled;
  gold_set: string;
}

export const ROUND_DEFAULTS: RoundValues = {
  policy: "",
  reward_model: "",
  size: 100,
  per_problem: 1,
  wrong_share: 80,
  source: "",
  is_fresh: false,
  sets_suspects_aside: true,
  seed: 0,
  overlap: "",
  gold_set: OF_PHASE,
};

type Stored = Partial<Pick<Selection, keyof RoundValues>>;

export function roundValues(stored: Stored): RoundValues {
  const { reward_model, size, per_problem, wrong_share = 0.8, overlap, gold_set } = stored;
  const { policy, source, is_fresh, sets_suspects_aside, seed } = { ...ROUND_DEFAULTS, ...stored };
  return {
    policy,
    source,
    is_fresh,
    sets_suspects_aside,
    seed,
    reward_model: reward_model ?? "",
    size: size ?? "",
    per_problem: per_problem ?? "",
    wrong_share: Math.round(1000 * wrong_share) / 10,
    overlap: overlap ?? "",
    gold_set: goldValue(gold_set),
  };
}

/** `suited` is the policy where none was chosen. */
export function roundBody(values: RoundValues, suited: Policy): Omit<SelectionRequest, "phase"> {
  const { policy, reward_model, source, is_fresh, sets_suspects_aside } = values;
  const chosen = policy || suited;
  return {
    source,
    is_fresh,
    sets_suspects_aside,
    policy: chosen,
    reward_model: chosen === "uniform" ? null : reward_model || null,
    size: numberOrNull(values.size),
    per_problem: numberOrNull(values.per_problem),
    wrong_share: Number(values.wrong_share) / 100,
    seed: Number(values.seed),
    ...putUpBody(values),
  };
}

export function putUpBody({ overlap, gold_set }: Pick<RoundValues, "overlap" | "gold_set">) {
  return {
    overlap: numberOrNull(overlap),
    gold_set: gold_set === OF_PHASE ? null : gold_set === NO_GOLD ? "" : gold_set.slice(SET.length),
  };
}

/** An option's value: the phase's own set, none, or one by its name. */
export function goldValue(name: string | null | undefined): string {
  if (name === null || name === undefined) return OF_PHASE;
  return name === "" ? NO_GOLD : SET + name;
}
