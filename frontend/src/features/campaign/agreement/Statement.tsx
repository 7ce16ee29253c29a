import type { Markup } from "@/api/types";
import { MathText } from "@/shared/text/MathText";
import classes from "../campaign.module.css";

/** A problem, as far as two lines go. */
export function Statement({ statement, statement_markup }: { statement: string; statement_markup: Markup }) {
  return (
    <div className={classes.statement}>
      <MathText text={statement} markup={statement_markup} />
    </div>
  );
}
