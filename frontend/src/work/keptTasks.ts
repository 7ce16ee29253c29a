import type { Assignment } from "@/api/types";

/** The task in hand and those fetched ahead, in this browser's storage: after a reload without the network, work goes on. */
const PREFIX = "stepmark.tasks.";

function keyOf(user: string, phase: string): string {
  return `${PREFIX}${user}.${phase}`;
}

/** `next`: `null` where none comes after it; `undefined` where that is not known, so what was kept after it stays. */
export function keepTasks(user: string, phase: string, inHand: Assignment | null, next?: Assignment | null): void {
  const key = keyOf(user, phase);
  const before = keptTasks(user, phase);
  const after = next === undefined && before[0]?.id === inHand?.id ? before.slice(1) : [next];
  const tasks = [inHand, ...after].filter((each) => each != null);
  try {
    localStorage.setItem(key, JSON.stringify(tasks));
  } catch {
    localStorage.removeItem(key); // no room: what was kept before is over
  }
}

export function keptTasks(user: string, phase: string): Assignment[] {
  return JSON.parse(localStorage.getItem(keyOf(user, phase)) ?? "[]") as Assignment[];
}

/** When that person signs out. Drafts and submissions that the server doesn't have stay. */
export function forgetTasks(user: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(keyOf(user, ""))) localStorage.removeItem(key);
}
