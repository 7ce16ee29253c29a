import { RatingIcon, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./campaign.module.css";

/** The ratings of a solution's steps in a line; in words for who cannot see it. */
export function Ratings({ ratings }: { ratings: readonly (number | null)[] }) {
  const words = ratings.map((rating) => ratingWord(rating, true) ?? "unsure");
  return (
    <span className={classes.ratings} role="img" aria-label={words.map((word) => strings.ratings[word]).join(", ")}>
      {words.map((word, step) => <RatingIcon key={step} word={word} size={18} />)}
    </span>
  );
}
