import type { Ratings } from "@/rating/useRatedSolution";
import type { TaskCase } from "@/api/types";
import { says } from "./strings";

export type Opinion = TaskCase["labellings"][number];
export type Outcome = "ratings" | "gold" | "verdict" | "fix" | "dismiss";

/** A person's ratings of the solution's own steps. */
export function ratingsOf({ completions }: Opinion, steps: number): Ratings {
  const own = completions.filter(({ completion }) => completion === 0);
  return Array.from({ length: steps }, (_, step) => own.find((each) => each.step === step)?.rating ?? null);
}

/** Nobody is named while the case waits. */
export function whoOf(task: TaskCase, index: number): string {
  return task.labellings[index]?.annotator ?? (task.is_waiting ? says.person(index) : says.somebody);
}
