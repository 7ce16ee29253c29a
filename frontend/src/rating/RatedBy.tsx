import type { ReactNode } from "react";
import { RatingTag, ratingWord } from "@/shared/words/ratings";

interface Props {
  who: string;
  rating: number | null | undefined;
  /** Their words on a mistake. */
  children?: ReactNode;
}

/** A person's rating of a step. Without one, they did not reach it. */
export function RatedBy({ who, rating, children }: Props) {
  const word = rating === undefined ? null : ratingWord(rating, true);
  return (
    <span className="small">
      {who}: {word ? <RatingTag word={word} /> : "not rated"} {children}
    </span>
  );
}
