import { reading } from "@/api/reading";

/** What the annotator asked about a task of theirs, newest first. */
export function taskQuestionsQuery(id: string) {
  return reading("/api/assignments/{id}/questions/", { path: { id } });
}

/** The annotator's last questions in a phase, newest first. */
export function questionsQuery(phase: string) {
  return reading("/api/phases/{phase_id}/questions/", { path: { phase_id: phase } });
}
