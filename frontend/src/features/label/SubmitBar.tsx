import { memo } from "react";
import type { Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import classes from "@/rating/TaskScreen.module.css";
import {
  answeredCount,
  finishReason,
  firstBad,
  missing,
  ratingOf,
  unexplained,
  type Trajectory,
} from "@/rating/trajectory/trajectory";
import { RatingIcon, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";

const says = strings.label;

interface Props {
  tone: RatingWord;
  title: string;
  more: string;
  button: string;
  /** What the button does; none while something is missing. */
  command: Command | null;
  onCommand: (command: Command) => void;
  children?: React.ReactNode;
}

/** What comes once everything is rated. */
export function EndBar({ tone, title, more, button, command, onCommand, children }: Props) {
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

/** Appears when the steps are rated: says how it ends and what is still asked for, and sends it. */
export const SubmitBar = memo(function SubmitBar({
  trajectory,
  onCommand,
}: {
  trajectory: Trajectory;
  onCommand: (command: Command) => void;
}) {
  const bad = firstBad(trajectory);
  const finish = finishReason(trajectory);
  if (bad === null && answeredCount(trajectory) < trajectory.places.length) return null;
  const next = missing(trajectory);
  const step = unexplained(trajectory);
  const why = step === null ? null : says.whyUnsure(step + 1);
  const common = { button: says.submit, command: finish && ("submit" as const), onCommand };
  if (bad !== null) {
    const more = next === null ? says.foundErrorMore : says.beside.missing[next];
    return <EndBar tone="bad" title={says.foundError(bad + 1)} more={why ?? more} {...common} />;
  }
  const unsure = trajectory.places.filter((_, step) => ratingOf(trajectory, step) === "unsure").length;
  const title = unsure > 0 ? says.unsureSolution(unsure) : says.wholeSolution;
  return <EndBar tone={unsure > 0 ? "unsure" : "great"} title={title} more={why ?? says.lastStepHint} {...common} />;
});
