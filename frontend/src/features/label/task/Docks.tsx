import { useState, type ReactNode } from "react";
import { hasCuts, type Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import { nameOf, ratingNameOf } from "@/rating/words/names";
import { RatingDock } from "@/rating/RatingDock";
import reading from "@/rating/reading.module.css";
import classes from "@/rating/TaskScreen.module.css";
import { answerAt, candidateAt, PROGRESS_OF } from "@/rating/trajectory/places";
import { placeOf } from "@/rating/trajectory/trajectory";
import { RATED, RatingIcon, WORDS, type RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { ToolBar } from "./ToolBar";
import type { Desk } from "./useDesk";

const { progressOf } = strings.label.beside;
const PROGRESS_WORDS = {
  great: progressOf[PROGRESS_OF.great],
  okay: progressOf[PROGRESS_OF.okay],
  bad: progressOf[PROGRESS_OF.bad],
  unsure: progressOf[PROGRESS_OF.unsure],
};

/** The docks under the steps: the end bar, when there is one, and below it the rating buttons. */
export function Docks({ desk, children }: { desk: Desk; children: ReactNode }) {
  const { assignment, run } = desk;
  const { settled } = desk.task;
  const { at, focus } = settled;
  const place = placeOf(settled);
  const candidate = candidateAt(place, focus);
  const isProgress = focus.kind === "progress";
  const answer = answerAt(place, focus);
  // Where there is one column, the tools lie under the thumb as well.
  const [isOpen, setOpen] = useState(false);
  const onTool = (command: Command) => {
    setOpen(false);
    run(command);
  };
  return (
    <div className={reading.docks}>
      {children}
      {isOpen && (
        <div className={reading.thumbTools}>
          <ToolBar
            phase={assignment.phase}
            hasAnswer={assignment.has_answer}
            hasCuts={hasCuts(assignment)}
            onCommand={onTool}
          />
        </div>
      )}
      {!(place.writing && desk.isWriting) && (
        <RatingDock
          name={nameOf(settled, at, focus)}
          label={ratingNameOf(settled)}
          words={focus.kind === "critiques" ? RATED : WORDS}
          columns={WORDS.length}
          meanings={isProgress ? PROGRESS_WORDS : null}
          given={WORDS.find((word) => (isProgress ? PROGRESS_OF[word] : word) === answer) ?? null}
          isDisabled={!isProgress && (candidate === undefined || candidate === place.own)}
          isComparing={desk.tools.isComparing}
          hasNote={focus.kind === "completions" && (settled.kind === "alternatives" || focus.index === 0)}
          canUndo={desk.canUndo}
          more={
            <button type="button" className={reading.thumb} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {strings.label.tools}
            </button>
          }
          onCommand={run}
        />
      )}
    </div>
  );
}

interface EndBarProps {
  tone: RatingWord;
  title: string;
  more: string;
  button: string;
  /** The act of the button; none while something is missing. */
  command: Command | null;
  onCommand: (command: Command) => void;
  children?: ReactNode;
}

/** A dock that says how things stand, with a button for the next command. */
export function EndBar({ tone, title, more, button, command, onCommand, children }: EndBarProps) {
  const keyOf = useKeyOf();
  return (
    <div className={classes.submitBar} role="region" aria-label={button} data-rating={tone}>
      <RatingIcon word={tone} size={28} />
      <div className={classes.submitText} role="status">
        <p className={classes.submitTitle}>{title}</p>
        <p className={classes.quiet} data-hint={command !== null || undefined}>
          {more}
        </p>
        {children}
      </div>
      {command && (
        <Button size="large" aria-keyshortcuts={keyOf(command)} onClick={() => onCommand(command)}>
          {button}{" "}
          <kbd className={classes.key} aria-hidden>
            {keyOf(command)}
          </kbd>
        </Button>
      )}
    </div>
  );
}
