import { usePreferences } from "@/shared/session/preferences";
import type { RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import type { Binding } from "./keys/keymap";
import type { PageKeys } from "./keys/pageKeys";
import { KeySettings } from "./keys/KeySettings";
import { RatingGuide } from "./RatingGuide";
import classes from "./reading.module.css";

interface Props {
  /** The keys, and the ratings, that mean something here. */
  bindings: readonly Binding[];
  words?: readonly RatingWord[];
  onClose: () => void;
  onGuidelines?: () => void;
  onTour?: () => void;
  /** Keys of the page around the instrument. */
  page?: PageKeys;
}

export default function HelpDialog({ bindings, words, onClose, onGuidelines, onTour, page }: Props) {
  const [{ isCompact = false }, change] = usePreferences();
  const instead = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog shape="wide" title="Keys and guide" onClose={onClose}>
      <div className={classes.help}>
        <section>
          <h3 className={classes.helpTitle}>{strings.label.guideTitle}</h3>
          <RatingGuide words={words} />
          <p className="small dim">{strings.label.lastStepHint}</p>
          <div className={`row ${classes.ways ?? ""}`}>
            {onGuidelines && (
              <Button size="small" look="plain" onClick={instead(onGuidelines)}>
                Guidelines of this phase
              </Button>
            )}
            {onTour && (
              <Button
                size="small"
                look={isCompact ? "tinted" : "plain"}
                aria-pressed={isCompact}
                onClick={() => change({ isCompact: !isCompact })}
              >
                Compact layout
              </Button>
            )}
            {onTour && (
              <Button size="small" look="plain" onClick={instead(onTour)}>
                Take the tour again
              </Button>
            )}
          </div>
        </section>
        <KeySettings bindings={bindings} page={page} />
      </div>
    </Dialog>
  );
}
