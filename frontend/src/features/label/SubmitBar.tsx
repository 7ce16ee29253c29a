import { memo } from "react";
import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { finishReason, firstBad, missing, type Labelling } from "./labelling";
import classes from "./TaskScreen.module.css";
import { useKeyOf } from "./useKeys";

const says = strings.label;

/** Appears when the steps are rated: says how it ends and what is still asked for, and sends it. */
export const SubmitBar = memo(function SubmitBar({
  labelling,
  onSubmit,
}: {
  labelling: Labelling;
  onSubmit: () => void;
}) {
  const keyOf = useKeyOf();
  const bad = firstBad(labelling);
  const finish = finishReason(labelling);
  if (finish === null && bad === null) return null;
  const next = missing(labelling);
  const more = bad === null ? says.lastStepHint : next === null ? says.foundErrorMore : says.beside.missing[next];
  return (
    <div
      className={classes.submitBar}
      role="region"
      aria-label={says.submit}
      data-rating={bad === null ? "great" : "bad"}
    >
      <RatingIcon word={bad === null ? "great" : "bad"} size={28} />
      <div className={classes.submitText} role="status">
        <p className={classes.submitTitle}>{bad === null ? says.wholeSolution : says.foundError(bad + 1)}</p>
        <p className={classes.quiet} data-hint={finish !== null || undefined}>
          {more}
        </p>
      </div>
      {finish && (
        <Button size="large" onClick={onSubmit}>
          {says.submit} <kbd className={classes.key}>{keyOf("submit")}</kbd>
        </Button>
      )}
    </div>
  );
});
