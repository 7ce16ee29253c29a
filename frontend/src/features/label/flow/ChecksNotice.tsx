import { useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { useKeyOf } from "@/rating/keys/useKeys";
import { MathText } from "@/shared/text/MathText";
import { Button } from "@/shared/ui/Button";
import { CloseButton } from "@/shared/ui/CloseButton";
import { reopenAddress } from "@/work/useReopened";
import { checks } from "@/work/checkStrings";
import classes from "../LabelPage.module.css";
import type { Outcome } from "./useFlow";

/** The soft checks of the last submission. They block nothing, and stay until they are closed or others follow. */
export default function ChecksNotice({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { record, reply } = outcome;
  const [, navigate] = useLocation();
  const keyOf = useKeyOf();
  // Makes the problem panel leave room for the notice. Not by `:has`, which searches the whole page at every key.
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.toggleAttribute("data-checks", true);
    return () => page.removeAttribute("data-checks");
  }, []);
  const lookAgain = () => {
    navigate(reopenAddress(record.phase, record.assignment));
    onClose();
  };
  return (
    <div className={classes.toast} data-rating="unsure" role="status" aria-live="polite">
      <div className={classes.toastHead}>
        <strong className="small">Submitted. Worth a second look?</strong>
        <CloseButton onClick={onClose} />
      </div>
      {reply.checks.map((check) => (
        <p key={check} className="small">
          {checks[check]}
        </p>
      ))}
      <div className={classes.excerpt}>
        <MathText text={record.title} isClipped />
      </div>
      <Button size="small" look="plain" className={classes.again} onClick={lookAgain}>
        Look again <kbd>{keyOf("history")}</kbd>
      </Button>
    </div>
  );
}
