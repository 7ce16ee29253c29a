import classes from "@/rating/TaskScreen.module.css";
import { chosenIndex, completionsOf, type Place } from "@/rating/trajectory/places";
import { MathText } from "@/shared/MathText";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import own from "./Alternatives.module.css";
import { says } from "./strings";

interface Props {
  places: readonly Place[];
  /** The step of the first one, counted from 0. */
  from: number;
  onReopen: (step: number) => void;
}

/** The chosen steps before or after the one on the screen, each of which can be opened again. */
export function StepsBehind({ places, from, onReopen }: Props) {
  if (places.length === 0) return null;
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Safari forgets that it is a list once its bullets are off
    <ol role="list" className={own.behind} start={from + 1} aria-label={says.trajectory.label}>
      {places.map((place, index) => (
        <StepBehind key={index} place={place} step={from + index + 1} onReopen={() => onReopen(from + index)} />
      ))}
    </ol>
  );
}

function StepBehind({ place, step, onReopen }: { place: Place; step: number; onReopen: () => void }) {
  const index = chosenIndex(place);
  return (
    <li className={own.done} data-rating={index === null ? undefined : "great"}>
      <div className={own.doneHead}>
        <span className={classes.stepNumber}>{strings.label.step(step)}</span>
        {index === place.offered.length && <span className={classes.quiet}>{strings.label.completions.own}</span>}
        <Button
          size="tiny"
          look="quiet"
          onClick={onReopen}
          aria-label={index === null ? says.trajectory.back(step) : says.trajectory.change(step)}
        >
          {index === null ? says.trajectory.back(step) : says.trajectory.changeWord}
        </Button>
      </div>
      {index !== null && <MathText text={completionsOf(place)[index]?.text ?? ""} />}
    </li>
  );
}
