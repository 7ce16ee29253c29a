import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import type { Command } from "../keymap";
import reading from "../reading.module.css";
import classes from "../TaskScreen.module.css";
import { useKeyOf } from "../useKeys";
import { candidatesOf, isSettled, isStuck, stopsOf } from "./places";
import type { TrajectoryTask } from "./useTrajectory";
import { goesOn } from "./words";

const says = strings.label;

interface Next {
  tone: "great" | "unsure";
  title: string;
  more: string;
  command: Command;
  button: string;
}

/** What comes once a step is rated: the step after it, the end, or a step of one's own. */
function nextOf({ place, finish, offer, trajectory }: TrajectoryTask): Next | null {
  if (place === null || place.writing !== null) return null;
  if (isStuck(place) && place.offered.length > 0 && offer.status === "ready") {
    return {
      tone: "unsure",
      title: says.trajectory.stuck,
      more: says.trajectory.stuckMore,
      command: "write",
      button: says.completions.write,
    };
  }
  if (!isSettled(place)) return null;
  if (finish) return { tone: "great", title: says.trajectory.ends, more: "", command: "submit", button: says.submit };
  const next = Math.max(stopsOf(trajectory).length, trajectory.at + 2);
  const isOnlyOne = candidatesOf(place).filter(({ answer }) => answer === "great").length === 1;
  return {
    tone: "great",
    title: goesOn(place),
    more: isOnlyOne ? "" : says.trajectory.goesOnMore,
    command: "submit",
    button: says.trajectory.goOn(next),
  };
}

interface Props {
  task: TrajectoryTask;
  onCommand: (command: Command) => void;
}

export function TrajectoryBar({ task, onCommand }: Props) {
  const keyOf = useKeyOf();
  const next = nextOf(task);
  if (next === null) return null;
  return (
    <div className={reading.docks}>
      <div className={classes.submitBar} role="region" aria-label={next.button} data-rating={next.tone}>
        <RatingIcon word={next.tone} size={28} />
        <div className={classes.submitText} role="status">
          <p className={classes.submitTitle}>{next.title}</p>
          <p className={classes.quiet} data-hint>
            {next.more}
          </p>
          {task.finish && (
            <Button size="tiny" look="plain" onClick={() => task.dispatch({ type: "go_on" })}>
              {says.trajectory.notTheEnd}
            </Button>
          )}
        </div>
        <Button size="large" onClick={() => onCommand(next.command)}>
          {next.button} <kbd className={classes.key}>{keyOf(next.command)}</kbd>
        </Button>
      </div>
    </div>
  );
}
