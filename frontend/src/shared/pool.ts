import { reading } from "@/api/reading";
import type { Pool } from "@/api/types";

export const poolQuery = reading("/api/pool/");

/** The named sources of the pool, as a select's options. */
export function sourcesOf(pool: Pool | undefined): string[] {
  return (pool?.sources ?? []).map(({ source }) => source).filter(Boolean);
}
