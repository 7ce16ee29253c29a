import { RatingIcon, WORDS, type RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./keys/useKeys";
import { useMeanings } from "./words/meanings";

interface Props {
  label: string;
  words?: readonly RatingWord[] | undefined;
  given: RatingWord | null;
  /** The names of the ratings' keys, where they stand for something else. */
  meanings?: Record<RatingWord, string> | null;
  isDisabled?: boolean;
  /** More than there are words, where each keeps its place though another is missing. */
  columns?: number;
  onRate: (word: RatingWord) => void;
}

/** For what is in focus: large, with words and keys. */
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
