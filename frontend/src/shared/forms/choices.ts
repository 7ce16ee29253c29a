import { useQuery } from "@tanstack/react-query";
import { reading, readingAll } from "@/api/reading";
import type { Pool, RewardModel } from "@/api/types";
import { PHASE_ROLES } from "@/shared/words/vocabularies";

/** The options of a select, from the words for each value. */
export function options<Value extends string>(
  words: Partial<Record<Value, string>>,
): { value: Value; label: string }[] {
  return (Object.entries(words) as [Value, string | undefined][]).map(([value, label]) => ({
    value,
    label: label ?? value,
  }));
}

/** Rows as a select's options, by name. */
export function named(rows: readonly { id: string; name: string }[] | undefined) {
  return (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

/** The roles that somebody may have in a phase. */
export function phaseRoles(isMlStaff: boolean) {
  return options(PHASE_ROLES).filter(({ value }) => value !== "ml_staff" || isMlStaff);
}

export const modelsQuery = readingAll("/api/reward-models/");

/** The models that judge steps: outcome models neither select nor verify. */
export function usePrms() {
  return (useQuery(modelsQuery).data ?? []).filter(({ supervision }) => supervision === "process");
}

/** Returns a predicate that is true for the phase's current model. */
export function isCurrentIn(phase: string) {
  return ({ current_in }: Pick<RewardModel, "current_in">) => current_in.some((place) => place.phase === phase);
}

/** Models by name, the phase's own first; another phase's with that phase's name. */
export function modelOptions(models: readonly RewardModel[], phase: string) {
  const own = models.filter((model) => model.phase === phase);
  const others = models.filter((model) => model.phase !== phase);
  return [
    ...named(own),
    ...others.map(({ id, name, phase_name }) => ({ value: id, label: `${name} (of ${phase_name})` })),
  ];
}

export const poolQuery = reading("/api/pool/");

/** The named sources of the pool, as a select's options. */
export function sourcesOf(pool: Pool | undefined): string[] {
  return (pool?.sources ?? []).map(({ source }) => source).filter(Boolean);
}
