import type { Turn } from "@/api/types";
import { frontier, ratingOf, type Trajectory } from "@/rating/trajectory/trajectory";
import { isFolded } from "@/shared/trace/folding";
import { Button } from "@/shared/ui/Button";
import { strings } from "@/shared/words/strings";
import classes from "@/rating/TaskScreen.module.css";

/** The most steps to list; the rest are counted. */
const MOST = 5;

interface Props {
  turns: readonly Turn[];
  trajectory: Trajectory;
  /** The steps of which an output was opened. */
  seen: ReadonlySet<number>;
  onSelect: (step: number) => void;
}

/** Before submitting: the steps that were rated though their outputs stayed folded. It blocks nothing. */
export default function Unopened({ turns, trajectory, seen, onSelect }: Props) {
  const steps = unopened(turns, trajectory, seen);
  if (steps.length === 0) return null;
  return (
    <p className={classes.quiet}>
      Rated without opening the output:{" "}
      {steps.slice(0, MOST).map((step) => (
        <Button key={step} size="tiny" look="quiet" onClick={() => onSelect(step)}>
          {strings.label.step(step + 1)}
        </Button>
      ))}
      {steps.length > MOST && ` and ${steps.length - MOST} more`}
    </p>
  );
}

/** The steps, from 0, rated since the page loaded without opening their output; earlier openings are not known. */
export function unopened(turns: readonly Turn[], trajectory: Trajectory, seen: ReadonlySet<number>): number[] {
  const rated = new Set(trajectory.changes.map(({ step }) => step));
  const end = frontier(trajectory);
  const hasOutput = (step: number) => turns[step]?.parts.some((part) => part.is_context && isFolded(part)) ?? false;
  return [...rated]
    .filter((step) => step <= end && ratingOf(trajectory, step) !== null && !seen.has(step) && hasOutput(step))
    .sort((one, other) => one - other);
}
