import type { KeyboardEvent } from "react";
import type { Submission } from "@/api/types";
import classes from "@/rating/TaskScreen.module.css";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";

type Result = Exclude<Submission["result"], "">;

const RESULTS = { right: "Right", wrong: "Wrong", unsure: "Can’t tell" } satisfies Record<Result, string>;
const ORDER = ["right", "wrong", "unsure"] as const satisfies readonly Result[];

interface Props {
  /** The answer in the labelling that is being revised. */
  before: Submission["result"];
  onClose: () => void;
  onSend: (result: Result) => void;
}

/** The last question: a digit, or a click, answers it and sends the labelling. */
export default function ResultDialog({ before, onClose, onSend }: Props) {
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const result = ORDER[Number(event.key) - 1];
    if (result === undefined) return;
    event.preventDefault();
    onSend(result);
  };
  return (
    <Dialog title="Is the final result right?" onClose={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- digits written on its buttons */}
      <div onKeyDown={press}>
        <p className="small dim">{strings.label.asksResult}</p>
        <div className={classes.reasons} role="group" aria-label="Final result">
          {ORDER.map((result, index) => (
            <Button
              key={result}
              look={before === result ? "tinted" : "plain"}
              aria-pressed={before === result}
              aria-keyshortcuts={String(index + 1)}
              data-autofocus={(before === "" ? index === 0 : before === result) || undefined}
              onClick={() => onSend(result)}
            >
              <kbd aria-hidden>{index + 1}</kbd> {RESULTS[result]}
            </Button>
          ))}
        </div>
        <div className="row row-end">
          <Button look="plain" onClick={onClose}>
            {strings.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
