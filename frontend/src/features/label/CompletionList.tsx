import { WORDS } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { CompletionCard, type CardActions, type CardWords, type Item } from "./CompletionCard";
import classes from "./TaskScreen.module.css";

interface Props extends CardActions, CardWords {
  items: readonly Item[];
  /** The completion that keys go to; `null` while they go elsewhere. */
  focus: number | null;
  label: string;
  noteOf?: number | null;
  before?: string;
}

/** Completions of one step (or critiques of it), each with its rating. Keys are the screen's business. */
export function CompletionList({
  items,
  focus,
  label,
  noteOf = null,
  nameOf = strings.label.completions.completion,
  answers = WORDS,
  ...actions
}: Props) {
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Safari forgets that it is a list once its bullets are off
    <ol role="list" className={classes.steps} aria-label={label}>
      {items.map((item, index) => (
        <CompletionCard
          key={index}
          item={item}
          index={index}
          isFocused={index === focus}
          isWritingNote={index === noteOf}
          nameOf={nameOf}
          answers={answers}
          {...actions}
        />
      ))}
    </ol>
  );
}
