import classes from "./StatusBadge.module.css";
import { staffStrings } from "./staffStrings";

/** The state of a job or a round: a word, with a dot whose shape differs too. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className={classes.badge} data-status={status}>
      {staffStrings.statuses[status] ?? status}
    </span>
  );
}
