import type { Assignment } from "@/api/types";
import { keeping } from "@/shared/session/keeping";

/** Copies of tasks, each beside the record of its assignment: a trace is megabytes, and no rating writes it anew. */
export const COPIES = "stepmark.task.";

/** The copies that this page has written, by key. */
const written = new Map<string, Assignment>();

export function copyKeys(): string[] {
  return Object.keys(keeping()).filter((key) => key.startsWith(COPIES));
}

export function removeCopy(key: string): void {
  keeping().removeItem(key);
  written.delete(key);
}

/** Without room, no copy is left: the draft in an older one may be older than the server's. */
export function writeCopy(key: string, task: Assignment): void {
  if (written.get(key) === task && key in keeping()) return;
  try {
    keeping().setItem(key, JSON.stringify(task));
    written.set(key, task);
  } catch {
    removeCopy(key);
  }
}

export function readCopy(key: string): Assignment | null {
  return JSON.parse(keeping().getItem(key) ?? "null") as Assignment | null;
}
