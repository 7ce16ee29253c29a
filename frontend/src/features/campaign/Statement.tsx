import { MathText } from "@/shared/MathText";
import classes from "./campaign.module.css";

/** A problem, as far as two lines go. */
export function Statement({ statement }: { statement: string }) {
  return (
    <div className={classes.statement}>
      <MathText text={statement} />
    </div>
  );
}
