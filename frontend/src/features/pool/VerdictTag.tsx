import { strings } from "@/shared/strings";
import classes from "./pool.module.css";

export function VerdictTag({ verdict = "unsure" }: { verdict: keyof typeof strings.verdicts | undefined }) {
  return <span className={classes.verdict} data-verdict={verdict}>{strings.verdicts[verdict]}</span>;
}
