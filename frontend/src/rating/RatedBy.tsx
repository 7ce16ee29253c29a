import { RatingTag, ratingWord } from "@/shared/words/ratings";

/** What somebody said about a step. Without a rating, they did not reach it. */
export function RatedBy({ who, rating }: { who: string; rating: number | null | undefined }) {
  const word = rating === undefined ? null : ratingWord(rating, true);
  return (
    <span className="small">
      {who}: {word ? <RatingTag word={word} /> : "not rated"}
    </span>
  );
}
