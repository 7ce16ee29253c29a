import classes from "./StatusBadge.module.css";
import { strings } from "./strings";

/** The state of a job or a round: a word, with a dot whose shape differs too. */
export function StatusBadge({ status }: { status: string }) {
  return <span className={classes.badge} data-status={status}>{strings.statuses[status] ?? status}</span>;
}
