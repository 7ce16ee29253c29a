import { staffStrings } from "@/shared/staffStrings";
import classes from "./pool.module.css";

export function VerdictTag({ verdict = "unsure" }: { verdict: keyof typeof staffStrings.verdicts | undefined }) {
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      {staffStrings.verdicts[verdict]}
    </span>
  );
}
