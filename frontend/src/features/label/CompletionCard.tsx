import { useEffect, useRef } from "react";
import { isTypingElsewhere } from "@/shared/afterPaint";
import { ratingHint, RatingIcon, RatingTag, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { CardTools } from "./CardTools";
import own from "./CompletionCard.module.css";
import type { Command } from "./keymap";
import { NoteField } from "./NoteField";
import { RatingButtons } from "./RatingButtons";
import { StepText } from "./StepText";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./useKeys";

const says = strings.label.completions;

export interface Item {
  text: string;
  answer: RatingWord | null;
  note?: string;
  /** Written by the annotator: not rated, but may be written anew. */
  isHuman?: boolean;
  isChosen?: boolean;
  statesAnswer?: boolean;
}

export interface CardActions {
  onAnswer: (index: number, answer: RatingWord) => void;
  onFocus: (index: number) => void;
  /** Offered on every completion that is Great and not chosen. */
  onChoose?: (index: number) => void;
  /** Writes the own text anew. */
  onEdit?: () => void;
  onNote?: (index: number, note: string) => void;
  /** Which note is being written; `null` when none. */
  onWriteNote?: (index: number | null) => void;
  onTool?: (command: Command) => void;
}

export interface CardWords {
  /** What the cards are called; without it, completions. */
  nameOf?: (letter: string) => string;
  /** The answers to choose from; without it, all four. */
  answers?: readonly RatingWord[];
}

interface Props extends CardActions, Required<CardWords> {
  item: Item;
  index: number;
  isFocused: boolean;
  isWritingNote: boolean;
  /** What the one in focus is compared with. */
  before?: string;
}

export function CompletionCard(props: Props) {
  const { item, index, isFocused, before, onFocus } = props;
  const card = useRef<HTMLLIElement>(null);

  useEffect(() => {
    if (!isFocused || isTypingElsewhere()) return;
    card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: "nearest" });
  }, [isFocused, item.answer, item.isChosen]);

  return (
    <li
      ref={card}
      className={classes.step}
      data-place={isFocused ? "current" : "reached"}
      data-rating={item.answer ?? undefined}
      aria-current={isFocused || undefined}
      data-tour={isFocused ? "step" : undefined}
      tabIndex={-1}
      onFocus={(event) => {
        // Not from a button inside: it would make way for the large ones before it is clicked.
        if (event.target === event.currentTarget) onFocus(index);
      }}
    >
      <CardHead {...props} />
      <div className={classes.stepText}>
        <StepText text={item.text} before={isFocused ? before : undefined} />
      </div>
      {isFocused && !item.isHuman && (
        <RatingButtons
          label={rateWords(props)}
          words={props.answers}
          given={item.answer}
          onRate={(word) => props.onAnswer(index, word)}
        />
      )}
      <CardNote {...props} />
    </li>
  );
}

function CardHead(props: Props) {
  const { item, index, isFocused, nameOf, ...on } = props;
  const keyOf = useKeyOf();
  const mayChoose = on.onChoose && !item.isChosen && (item.answer === "great" || item.isHuman);
  return (
    <div className={own.head}>
      <span className={own.letter}>{item.isHuman ? says.own : nameOf(letterOf(index))}</span>
      {item.statesAnswer && <span className={own.mark}>{says.statesAnswer}</span>}
      {item.isChosen && <span className={own.chosen}>{says.chosen}</span>}
      {mayChoose && (
        <Quiet says={says.choose} hint={isFocused ? keyOf("choose") : ""} onClick={() => on.onChoose?.(index)} />
      )}
      <span className={own.end}>
        {isFocused && on.onTool && <CardTools isComparing={props.before !== undefined} onTool={on.onTool} />}
        {item.isHuman && on.onEdit && <Quiet says={says.edit} hint={keyOf("write")} onClick={on.onEdit} />}
        {!item.isHuman && item.answer !== null && <RatingTag word={item.answer} />}
        {!item.isHuman && item.answer === null && !isFocused && <Signs {...props} />}
      </span>
    </div>
  );
}

function rateWords({ index, nameOf }: Props): string {
  return says.rate(nameOf(letterOf(index)));
}

/** The ratings of a completion that is not in focus: for the mouse, as the arrow keys go there. */
function Signs(props: Props) {
  return (
    <div className={own.signs} role="group" aria-label={rateWords(props)}>
      {props.answers.map((word) => (
        <button
          key={word}
          type="button"
          tabIndex={-1}
          className={own.sign}
          data-rating={word}
          title={ratingHint(word)}
          aria-label={strings.ratings[word]}
          onClick={() => props.onAnswer(props.index, word)}
        >
          <RatingIcon word={word} size={22} />
        </button>
      ))}
    </div>
  );
}

function CardNote({ item: { note = "" }, index, isFocused, isWritingNote, nameOf, onNote, onWriteNote }: Props) {
  const keyOf = useKeyOf();
  if (!onNote || !onWriteNote) return null;
  if (isWritingNote) {
    return (
      <NoteField
        name={says.note(nameOf(letterOf(index)))}
        note={note}
        onNote={(text) => onNote(index, text)}
        onClose={() => onWriteNote(null)}
      />
    );
  }
  if (note !== "")
    return (
      <button type="button" className={classes.note} onClick={() => onWriteNote(index)}>
        {note}
      </button>
    );
  return isFocused && <Quiet says={strings.label.addNote} hint={keyOf("note")} onClick={() => onWriteNote(index)} />;
}

function Quiet({ says: words, hint, onClick }: { says: string; hint: string; onClick: () => void }) {
  return (
    <Button size="tiny" look="quiet" className={own.quiet} onClick={onClick}>
      {words} {hint && <kbd className={classes.key}>{hint}</kbd>}
    </Button>
  );
}

/** Completions go by letters: the digits are keys for ratings. */
export function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}
