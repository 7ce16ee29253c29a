import { MathText } from "@/shared/MathText";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import classes from "../TaskScreen.module.css";
import own from "./Alternatives.module.css";
import { candidatesOf, chosenIndex, type Stop } from "./places";

const says = strings.label;

interface Props {
  stops: readonly Stop[];
  /** The step of the first one, counted from 0. */
  from: number;
  onReopen: (step: number) => void;
}

/** The chosen steps before or after the one on the screen, each of which can be opened again. */
export function StepsBehind({ stops, from, onReopen }: Props) {
  if (stops.length === 0) return null;
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Safari forgets that it is a list once its bullets are off
    <ol role="list" className={own.behind} start={from + 1} aria-label={says.trajectory.label}>
      {stops.map((stop, index) => (
        <StepBehind key={index} stop={stop} step={from + index + 1} onReopen={() => onReopen(from + index)} />
      ))}
    </ol>
  );
}

function StepBehind({ stop: { place }, step, onReopen }: { stop: Stop; step: number; onReopen: () => void }) {
  const index = chosenIndex(place);
  return (
    <li className={own.done} data-rating={index === null ? undefined : "great"}>
      <div className={own.doneHead}>
        <span className={classes.stepNumber}>{says.step(step)}</span>
        {index === place.offered.length && <span className={classes.quiet}>{says.completions.own}</span>}
        <Button
          size="tiny"
          look="quiet"
          onClick={onReopen}
          aria-label={index === null ? says.trajectory.back(step) : says.trajectory.change(step)}
        >
          {index === null ? says.trajectory.back(step) : says.trajectory.changeWord}
        </Button>
      </div>
      {index !== null && <MathText text={candidatesOf(place)[index]?.text ?? ""} />}
    </li>
  );
}
