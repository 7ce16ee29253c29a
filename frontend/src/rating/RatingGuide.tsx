import { RatingTag, WORDS, type RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import classes from "./reading.module.css";

/** What each rating means, one under the other. */
export function RatingGuide({ words = WORDS }: { words?: readonly RatingWord[] | undefined }) {
  return (
    <dl className={classes.guide}>
      {words.map((word) => (
        <div key={word}>
          <dt>
            <RatingTag word={word} />
          </dt>
          <dd>{strings.label.guide[word]}</dd>
        </div>
      ))}
    </dl>
  );
}
