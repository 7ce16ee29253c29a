import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { Assignment } from "@/api/types";
import { useStoredPreferences } from "@/shared/session/preferences";

type Phase = Assignment["phase"];

/** A version of the guidelines never changes: it is fetched once, whatever is read again after a submission. */
export function guidelinesQuery({ id, guidelines_version: version }: Phase) {
  return {
    ...reading("/api/phases/{phase_id}/guidelines/{version}/", { path: { phase_id: id, version } }),
    staleTime: "static",
  } as const;
}

/** Returns "unread" or "changed" if this person has not read the phase's current guidelines; otherwise "". */
export function useGuidelinesNews(phase: Phase): "" | "unread" | "changed" {
  const { guidelines } = useStoredPreferences();
  const { data } = useQuery(guidelinesQuery(phase));
  const seen = guidelines?.[phase.id];
  if (!data?.text || seen === phase.guidelines_version) return "";
  return seen === undefined ? "unread" : "changed";
}
