import { RatingIcon, WORDS, type RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./keys/useKeys";
import { useMeanings } from "./words/meanings";

interface Props {
  label: string;
  words?: readonly RatingWord[] | undefined;
  given: RatingWord | null;
  /** Labels of the buttons, where the ratings' keys stand for other answers. */
  meanings?: Record<RatingWord, string> | null;
  isDisabled?: boolean;
  /** The number of columns: more than words, to keep each in its place if another is missing. */
  columns?: number;
  onRate: (word: RatingWord) => void;
}

/** The buttons that rate what is in focus: large, with words and keys. */
export function RatingButtons({
  label,
  words = WORDS,
  given,
  meanings,
  isDisabled = false,
  columns = words.length,
  onRate,
}: Props) {
  const keyOf = useKeyOf();
  const hints = useMeanings();
  return (
    <div
      className={classes.ratings}
      role="group"
      aria-label={label}
      data-tour="ratings"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {words.map((word) => (
        <button
          key={word}
          type="button"
          className={classes.rating}
          data-rating={meanings ? undefined : word}
          aria-pressed={given === word}
          aria-keyshortcuts={keyOf(word)}
          title={meanings ? undefined : hints[word]}
          disabled={isDisabled}
          onClick={() => onRate(word)}
        >
          {!meanings && <RatingIcon word={word} size={22} />}
          <span>{(meanings ?? strings.ratings)[word]}</span>
          <kbd className={classes.key} aria-hidden>
            {keyOf(word)}
          </kbd>
        </button>
      ))}
    </div>
  );
}
