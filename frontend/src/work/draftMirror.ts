import type { Assignment, Draft } from "@/api/types";

/** The newest draft of a task in this browser's storage, so that neither a crash nor a lost network takes anything. */
const PREFIX = "stepmark.draft.";
const KEPT_MS = 30 * 24 * 3600 * 1000;

interface Mirror {
  draft: Draft;
  at: number;
}

/** A revision has a mirror of its own, beside that of the labelling it takes the place of. */
export function mirrorKey(user: string, { id, labelling }: Pick<Assignment, "id" | "labelling">): string {
  return `${PREFIX}${user}.${labelling?.id ?? id}`;
}

export function readMirror(key: string): Draft | null {
  const text = localStorage.getItem(key);
  return text === null ? null : (JSON.parse(text) as Mirror).draft;
}

/** Returns false where there is no room: the server's draft has to do. */
export function writeMirror(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ draft, at: Date.now() } satisfies Mirror));
    return true;
  } catch {
    return false;
  }
}

/** Forgets drafts of tasks that never came back. */
export function forgetOldMirrors(): void {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const { at } = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Mirror>;
    if (Date.now() - (at ?? 0) > KEPT_MS) localStorage.removeItem(key);
  }
}

function asDraft({ labelling }: Assignment): Draft | null {
  if (labelling === null) return null;
  const { ratings, critiques, history, solution_progress, finish_note, active_ms } = labelling;
  return { version: 0, ratings, critiques, history, solution_progress, finish_note, active_ms: active_ms ?? 0 };
}

/** What a screen begins with: the draft here or the server's, whichever is newer, or the labelling to be revised. */
export function startingDraft(user: string, assignment: Assignment): Draft | null {
  const known = asDraft(assignment) ?? assignment.draft;
  const mirrored = readMirror(mirrorKey(user, assignment));
  return mirrored !== null && mirrored.version > (known?.version ?? 0) ? mirrored : known;
}
