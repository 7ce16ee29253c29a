import type { TaskCase } from "@/api/types";

export type Opinion = TaskCase["labellings"][number];
export type Outcome = "ratings" | "gold" | "verdict" | "fix" | "dismiss";
export type Ratings = (number | null)[];

/** A person's ratings of the solution's own steps, up to the first Bad one. */
export function ratingsOf(labelling: Opinion, steps: number): Ratings {
  const own = labelling.completions.filter(({ completion }) => completion === 0);
  return cut(Array.from({ length: steps }, (_, step) => own.find((each) => each.step === step)?.rating ?? null));
}

/** Where the ruling starts: what was ruled before, else gold, else the first labelling. */
export function firstRuling(task: TaskCase): Ratings {
  const steps = task.solution.steps.length;
  const known = task.consensuses.find(({ method }) => method === "adjudicated")?.ratings ?? task.gold?.ratings;
  if (known) return Array.from({ length: steps }, (_, step) => known[step] ?? null);
  const [first] = task.labellings;
  return first ? ratingsOf(first, steps) : Array.from({ length: steps }, () => null);
}

/** The step gets the rating; nothing after the first Bad one has any. */
export function rated(ratings: Ratings, step: number, rating: number): Ratings {
  return cut(ratings.map((before, index) => (index === step ? rating : before)));
}

function cut(ratings: Ratings): Ratings {
  const bad = ratings.indexOf(-1);
  return ratings.map((rating, step) => (bad >= 0 && step > bad ? null : rating));
}

/** What is sent: null while a step that counts has no rating. */
export function finished(ratings: Ratings): number[] | null {
  const bad = ratings.indexOf(-1);
  const counted = bad < 0 ? ratings : ratings.slice(0, bad + 1);
  return counted.every((rating) => rating !== null) ? counted : null;
}
