import { reading, readingAll } from "@/api/reading";

export const phasesQuery = readingAll("/api/phases/");

/** The signed-in annotator's own figures in a phase. */
export function progressQuery(phase: string) {
  return reading("/api/phases/{phase_id}/progress/", { path: { phase_id: phase } });
}
