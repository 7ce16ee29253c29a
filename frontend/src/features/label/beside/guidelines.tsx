import { useQuery } from "@tanstack/react-query";
import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { reading } from "@/api/reading";
import type { Assignment } from "@/api/types";
import { lazily } from "@/shared/page/Contained";
import { useStoredPreferences } from "@/shared/session/preferences";

const GuidelinesPanel = lazily(() => import("./GuidelinesPanel"));

type Phase = Assignment["phase"];
const Toggle = createContext<(phase: Phase) => void>(() => undefined);

/** Opens and closes the guidelines beside the work. */
export function useToggleGuidelines() {
  return use(Toggle);
}

/** Once opened, the guidelines stay, from task to task. */
export function GuidelinesBeside({ children }: { children: ReactNode }) {
  const [phase, setPhase] = useState<Phase | null>(null);
  const toggle = useMemo(() => (next: Phase) => setPhase((open) => (open ? null : next)), []);
  return (
    <Toggle value={toggle}>
      {children}
      {phase && <GuidelinesPanel phase={phase} onClose={() => setPhase(null)} />}
    </Toggle>
  );
}

/** A version of the guidelines never changes: it is fetched once, whatever is read again after a submission. */
export function guidelinesQuery({ id, guidelines_version: version }: Phase) {
  return {
    ...reading("/api/phases/{phase_id}/guidelines/{version}/", { path: { phase_id: id, version } }),
    staleTime: "static",
  } as const;
}

/** Whether the guidelines of a phase changed since this person last read them, or were never read. */
export function useGuidelinesNews(phase: Phase): "" | "unread" | "changed" {
  const { guidelines } = useStoredPreferences();
  const { data } = useQuery(guidelinesQuery(phase));
  const seen = guidelines?.[phase.id];
  if (!data?.text || seen === phase.guidelines_version) return "";
  return seen === undefined ? "unread" : "changed";
}
