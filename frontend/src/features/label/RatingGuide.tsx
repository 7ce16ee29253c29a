import { RatingTag, WORDS } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./reading.module.css";

/** What each rating means, one under the other. */
export function RatingGuide() {
  return (
    <dl className={classes.guide}>
      {WORDS.map((word) => (
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
