import { strings } from "./strings";

/** The ratings that the words stand for. */
export const RATINGS = { great: 1, okay: 0, bad: -1, unsure: null } as const;
export type RatingWord = keyof typeof RATINGS;
/** All words, in the order of their keys. */
export const WORDS: readonly RatingWord[] = ["great", "okay", "bad", "unsure"];
/** The choices that are a rating: unsure is the lack of one. */
export const RATED = ["great", "okay", "bad"] as const;

export function ratingWord(rating: number | null, isFlagged: boolean): RatingWord | null {
  if (rating === null) return isFlagged ? "unsure" : null;
  return rating > 0 ? "great" : rating < 0 ? "bad" : "okay";
}

// Told apart by outline as well as by sign: circle, square, octagon, diamond.
const SHAPES: Record<RatingWord, [outline: string, sign: string]> = {
  great: ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z", "m7.5 12.3 3.1 3.1 6-6.4"],
  okay: ["M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Z", "M7.5 12h9"],
  bad: ["M8 2h8l6 6v8l-6 6H8l-6-6V8Z", "m8.7 8.7 6.6 6.6m0-6.6-6.6 6.6"],
  unsure: ["M12 1.5 22.5 12 12 22.5 1.5 12Z", "M9.7 9.9a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.2.9-1.2 1.7m0 2.8v.1"],
};

export function RatingIcon({ word, size = 20 }: { word: RatingWord; size?: number }) {
  const [outline, sign] = SHAPES[word];
  return (
    <svg className="rating-icon" data-rating={word} width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path className="rating-outline" d={outline} />
      <path className="rating-sign" d={sign} />
    </svg>
  );
}

/** The ratings of a solution's steps in a line; in words for who cannot see it. */
export function RatingRow({ ratings }: { ratings: readonly (number | null)[] }) {
  const words = ratings.map((rating) => ratingWord(rating, true) ?? "unsure");
  return (
    <span className="rating-row" role="img" aria-label={words.map((word) => strings.ratings[word]).join(", ")}>
      {words.map((word, step) => (
        <RatingIcon key={step} word={word} size={17} />
      ))}
    </span>
  );
}

export function RatingTag({ word }: { word: RatingWord }) {
  return (
    <span className="rating-tag" data-rating={word}>
      <RatingIcon word={word} size={15} />
      {strings.ratings[word]}
    </span>
  );
}
