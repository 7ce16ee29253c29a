/** An expert's ratings of a solution's steps, while they are given: null where there is none yet, or none is due. */
export type Ratings = (number | null)[];

/** The step gets the rating; nothing after the first Bad one has any. */
export function rated(ratings: Ratings, step: number, rating: number): Ratings {
  return cut(ratings.map((before, index) => (index === step ? rating : before)));
}

export function cut(ratings: Ratings): Ratings {
  const bad = ratings.indexOf(-1);
  return ratings.map((rating, step) => (bad >= 0 && step > bad ? null : rating));
}

/** What is sent: null while a step that counts has no rating. */
export function finished(ratings: Ratings): number[] | null {
  const bad = ratings.indexOf(-1);
  const counted = bad < 0 ? ratings : ratings.slice(0, bad + 1);
  return counted.every((rating) => rating !== null) ? counted : null;
}
