import { ratingHint, RatingIcon, WORDS, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./useKeys";

interface Props {
  label: string;
  words?: readonly RatingWord[];
  given: RatingWord | null;
  onRate: (word: RatingWord) => void;
}

/** For what is in focus: large, with words and keys. */
export function RatingButtons({ label, words = WORDS, given, onRate }: Props) {
  const keyOf = useKeyOf();
  return (
    <div
      className={classes.ratings}
      role="group"
      aria-label={label}
      data-tour="ratings"
      style={{ gridTemplateColumns: `repeat(${words.length}, minmax(0, 1fr))` }}
    >
      {words.map((word) => (
        <button
          key={word}
          type="button"
          className={classes.rating}
          data-rating={word}
          aria-pressed={given === word}
          title={ratingHint(word)}
          onClick={() => onRate(word)}
        >
          <RatingIcon word={word} size={22} />
          <span>{strings.ratings[word]}</span>
          <kbd className={classes.key} aria-hidden>
            {keyOf(word)}
          </kbd>
        </button>
      ))}
    </div>
  );
}
