import type { TaskCase } from "@/api/types";
import { cut, type Ratings } from "@/shared/ruling";

export type Opinion = TaskCase["labellings"][number];
export type Outcome = "ratings" | "gold" | "verdict" | "fix" | "dismiss";

/** A person's ratings of the solution's own steps, up to the first Bad one. */
export function ratingsOf(labelling: Opinion, steps: number): Ratings {
  const own = labelling.completions.filter(({ completion }) => completion === 0);
  return cut(Array.from({ length: steps }, (_, step) => own.find((each) => each.step === step)?.rating ?? null));
}

/** Where a ruling starts: with nothing that anybody said. */
export function noRuling(task: TaskCase): Ratings {
  return task.solution.steps.map(() => null);
}
