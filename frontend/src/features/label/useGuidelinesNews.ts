import type { Assignment } from "@/api/types";
import { useStoredPreferences } from "@/shared/preferences";

/** Whether the guidelines of a phase changed since this person last read them, or were never read. */
export function useGuidelinesNews({ id, guidelines_version = 1, instructions }: Assignment["phase"]): "" | "unread" | "changed" {
  const { guidelines } = useStoredPreferences();
  const seen = guidelines?.[id];
  if (!instructions || seen === guidelines_version) return "";
  return seen === undefined ? "unread" : "changed";
}
