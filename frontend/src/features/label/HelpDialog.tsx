import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import type { Binding, Command } from "./keymap";
import { KeySettings } from "./KeySettings";
import { RatingGuide } from "./RatingGuide";
import classes from "./reading.module.css";

const says = strings.label;

interface Props {
  kind: Binding["only"];
  onClose: () => void;
  /** For what has a place of its own. */
  onCommand: (command: Command) => void;
  onTour: () => void;
}

export default function HelpDialog({ kind, onClose, onCommand, onTour }: Props) {
  const instead = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog shape="wide" title={says.helpTitle} onClose={onClose}>
      <div className={classes.help}>
        <section>
          <h3 className={classes.helpTitle}>{says.guideTitle}</h3>
          <RatingGuide />
          <p className="small dim">{says.lastStepHint}</p>
          <div className={`row ${classes.ways ?? ""}`}>
            <Button size="small" look="plain" onClick={instead(() => onCommand("guidelines"))}>
              {says.guidelines.open}
            </Button>
            <Button size="small" look="plain" onClick={instead(onTour)}>
              {says.tour.again}
            </Button>
          </div>
        </section>
        <KeySettings kind={kind} />
      </div>
    </Dialog>
  );
}
