import { memo, useEffect, useRef, type ReactNode } from "react";
import type { Part, Turn } from "@/api/types";
import { afterPaint } from "@/shared/page/afterPaint";
import { keepsFocus } from "@/shared/page/keyboard";
import { lazily } from "@/shared/page/Contained";
import { MathText } from "@/shared/text/MathText";
import { RatingIcon, RatingTag, WORDS, type RatingWord } from "@/shared/words/ratings";
import { useIsSource } from "@/shared/text/sourceView";
import { strings } from "@/shared/words/strings";
import { TextArea } from "@/shared/ui/Field";
import { BOX_HINT, saveOrLeave } from "./keys/saveOrLeave";
import { useMeanings } from "./words/meanings";
import own from "./StepCard.module.css";
import classes from "./TaskScreen.module.css";
import type { Compared } from "./words/names";

const ComparedText = lazily<{ text: string; against: Compared }>(
  () => import("./compare/ComparedText"),
  ({ text }) => <MathText text={text} />,
);

const Parts = lazily<{ parts: readonly Part[]; step: number; isOpen?: boolean }>(
  () => import("@/shared/trace/Parts"),
  ({ parts }) => <MathText text={parts.map(({ text }) => text).join("\n\n")} />,
);

export type StepPlace = "current" | "reached" | "ahead" | "unlabelled";

interface Props {
  /** The card's place in its list, which the callbacks get. */
  index: number;
  name: string;
  /** The number of steps. */
  of?: number;
  text: string;
  /** The step's parts, of which the text was made, for a trace. */
  turn?: Turn | undefined;
  /** True if tool results are unfolded. */
  isOpen?: boolean;
  answer: RatingWord | null;
  place: StepPlace;
  /** Changes with every rating, so that the card in focus takes the keyboard back after a click. */
  revision: unknown;
  /** The text to compare the step with. */
  against?: Compared | null | undefined;
  onSelect: (index: number) => void;
  /** Rates by small buttons on a card that is not in focus: for the mouse, as the arrow keys move the focus. */
  onRate?: (index: number, word: RatingWord) => void;
  words?: readonly RatingWord[];
  note?: string | undefined;
  isWritingNote?: boolean;
  onNote?: ((index: number, note: string) => void) | undefined;
  onWriteNote?: ((index: number | null) => void) | undefined;
  /** Shown beside the name. */
  marks?: ReactNode;
  /** Shown below the text, such as other people's ratings. */
  children?: ReactNode;
}

/** A card to be rated: a step, a completion, a critique. The screen provides the keys and the dock. */
export const StepCard = memo(function StepCard(props: Props) {
  const { index, name, text, against, answer, place, revision, onSelect } = props;
  const card = useRef<HTMLLIElement>(null);
  const isCurrent = place === "current";

  useEffect(() => {
    if (!isCurrent) return;
    return afterPaint(() => {
      if (!keepsFocus()) card.current?.focus({ preventScroll: true });
      card.current?.scrollIntoView({ block: "nearest" });
    });
  }, [isCurrent, revision]);

  return (
    <li
      ref={card}
      className={classes.step}
      data-place={place}
      data-step={index}
      data-rating={place === "unlabelled" ? undefined : (answer ?? undefined)}
      aria-current={isCurrent ? "step" : undefined}
      data-tour={isCurrent ? "step" : undefined}
      tabIndex={-1}
      onFocus={(event) => {
        // Not if a button inside is focused: it would move before it is clicked.
        if (event.target === event.currentTarget && place === "reached") onSelect(index);
      }}
    >
      <section aria-label={regionOf(props)}>
        <div className={classes.stepHead}>
          <span className={classes.stepNumber}>{name}</span>
          {props.turn?.agent && <span className={own.mark}>{props.turn.agent}</span>}
          {props.marks}
          <span className={own.end}>
            <Rating {...props} />
          </span>
        </div>
        {text !== "" && (
          <div className={classes.stepText}>
            {props.turn ? (
              <Parts parts={props.turn.parts} step={index} isOpen={props.isOpen ?? false} />
            ) : (
              <StepText text={text} against={against} />
            )}
          </div>
        )}
        {props.children}
        <Note {...props} />
      </section>
    </li>
  );
});

/** "Step 3 of 12, rated Bad". */
function regionOf({ name, of, answer, place }: Props): string {
  const whole = of === undefined ? name : `${name} of ${of}`;
  if (place === "unlabelled") return `${whole}, not labelled`;
  return answer === null ? whole : `${whole}, rated ${strings.ratings[answer]}`;
}

function Rating(props: Props) {
  const { index, name, answer, place, onSelect } = props;
  if (place === "unlabelled") return <span className={classes.quiet}>Not labelled</span>;
  if (answer === null) return place === "reached" && props.onRate ? <Signs {...props} onRate={props.onRate} /> : null;
  if (place === "current") return <RatingTag word={answer} />;
  return (
    <button
      type="button"
      className={classes.tagButton}
      onClick={() => onSelect(index)}
      aria-label={`${name}, rated ${strings.ratings[answer]}. Change it`}
    >
      <RatingTag word={answer} />
    </button>
  );
}

function Signs({ index, name, words = WORDS, onRate }: Props & Required<Pick<Props, "onRate">>) {
  const meanings = useMeanings();
  return (
    <span className={own.signs} role="group" aria-label={`Rating of ${name}`}>
      {words.map((word) => (
        <button
          key={word}
          type="button"
          tabIndex={-1}
          className={own.sign}
          data-rating={word}
          title={meanings[word]}
          aria-label={strings.ratings[word]}
          onClick={() => onRate(index, word)}
        >
          <RatingIcon word={word} size={22} />
        </button>
      ))}
    </span>
  );
}

function Note({ index, name, note = "", place, isWritingNote = false, onNote, onWriteNote }: Props) {
  if (!onNote || !onWriteNote || place === "unlabelled" || place === "ahead") return null;
  if (isWritingNote) {
    const close = () => onWriteNote(null);
    return (
      <TextArea
        className={classes.noteField}
        rows={2}
        autoFocus
        aria-label={`Note on ${name}`}
        placeholder="What should a reader know about this step?"
        value={note}
        onChange={(event) => onNote(index, event.currentTarget.value)}
        onBlur={close}
        onKeyDown={(event) => saveOrLeave(event, close, close)}
        description={BOX_HINT}
      />
    );
  }
  return (
    note !== "" && (
      <button type="button" className={classes.note} onClick={() => onWriteNote(index)}>
        {note}
      </button>
    )
  );
}

/** A step's text; if `against` is given, with the changes from that text. */
export function StepText({ text, against }: Pick<Props, "text" | "against">) {
  const isSource = useIsSource();
  return against && !isSource ? <ComparedText text={text} against={against} /> : <MathText text={text} />;
}
