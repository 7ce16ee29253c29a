import { RatingTag, WORDS, type RatingWord } from "@/shared/words/ratings";
import { useMeanings } from "./words/meanings";
import classes from "./reading.module.css";

/** The meanings of the ratings, one under the other. */
export function RatingGuide({ words = WORDS }: { words?: readonly RatingWord[] | undefined }) {
  const meanings = useMeanings();
  return (
    <dl className={classes.guide}>
      {words.map((word) => (
        <div key={word}>
          <dt>
            <RatingTag word={word} />
          </dt>
          <dd>{meanings[word]}</dd>
        </div>
      ))}
    </dl>
  );
}
