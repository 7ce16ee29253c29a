import { useQuery } from "@tanstack/react-query";
import { readingAll } from "@/api/reading";

export const modelsQuery = readingAll("/api/reward-models/");

/** Those that judge steps: outcome models neither select nor verify. */
export function usePrms() {
  return (useQuery(modelsQuery).data ?? []).filter(({ supervision }) => supervision === "process");
}
