import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import classes from "./LabelPage.module.css";

const says = strings.label.revising;

export function RevisionBanner({ assignment, onBack }: { assignment: Assignment; onBack: () => void }) {
  return (
    <div className={classes.banner} role="status">
      <span>{assignment.labelling === null ? says.again : says.banner}</span>
      <Button size="small" look="plain" onClick={onBack}>
        {says.back}
      </Button>
    </div>
  );
}
