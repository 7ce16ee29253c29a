import { useQuery } from "@tanstack/react-query";
import { reading, readingAll } from "@/api/reading";
import type { Pool } from "@/api/types";

/** What a select offers, from the words for each value. */
export function options<Value extends string>(
  words: Partial<Record<Value, string>>,
): { value: Value; label: string }[] {
  return (Object.entries(words) as [Value, string | undefined][]).map(([value, label]) => ({
    value,
    label: label ?? value,
  }));
}

export const modelsQuery = readingAll("/api/reward-models/");

/** Those that judge steps: outcome models neither select nor verify. */
export function usePrms() {
  return (useQuery(modelsQuery).data ?? []).filter(({ supervision }) => supervision === "process");
}

export const poolQuery = reading("/api/pool/");

/** The named sources of the pool, as a select's options. */
export function sourcesOf(pool: Pool | undefined): string[] {
  return (pool?.sources ?? []).map(({ source }) => source).filter(Boolean);
}
