import type { Assignment } from "@/api/types";
import { keeping } from "@/shared/session/keeping";

/** Prefix of the keys of tasks' copies. Apart from the records, so that no rating writes a trace's megabytes anew. */
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

/** Stores a copy. Without room, removes an older one, whose draft may be older than the server's. */
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
