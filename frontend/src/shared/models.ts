import { useQuery } from "@tanstack/react-query";
import { MOST, reading } from "@/api/reading";

export const modelsQuery = reading("/api/reward-models/", { query: { page_size: MOST } });

/** Those that judge steps: outcome models neither select nor verify. */
export function usePrms() {
  return (useQuery(modelsQuery).data?.results ?? []).filter(({ supervision }) => supervision === "process");
}
