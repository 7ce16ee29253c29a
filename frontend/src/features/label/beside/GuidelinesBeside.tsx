import { createContext, use, useMemo, useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { lazily } from "@/shared/page/Contained";

const GuidelinesPanel = lazily(() => import("./GuidelinesPanel"));

type Phase = Assignment["phase"];
const Toggle = createContext<(phase: Phase) => void>(() => undefined);

/** Returns the function that opens or closes the guidelines beside the work. */
export function useToggleGuidelines() {
  return use(Toggle);
}

/** Keeps opened guidelines beside the work, from task to task. */
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
