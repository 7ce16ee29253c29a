import { useEffect, useState } from "react";
import { KeyButton } from "@/rating/keys/KeyButton";
import { useKeyOf } from "@/rating/keys/useKeys";
import own from "@/rating/StepCard.module.css";
import { candidateAt, chosenIndex, isSame, type Part } from "@/rating/trajectory/places";
import { partsOf, placeOf } from "@/rating/trajectory/trajectory";
import { asksAnything } from "@/rating/words/asks";
import { Notice } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { Spinner } from "@/shared/ui/Spinner";
import type { Offered } from "@/work/useOffer";
import { CandidateList } from "../beside/CandidateList";
import { Mistake } from "../beside/Mistake";
import type { Desk } from "../task/useDesk";
import classes from "./Alternatives.module.css";
import { OwnStep } from "./OwnStep";

const CALM_MS = 1000;

/** The next step: completions to rate, and the annotator's own. */
export function CurrentStep({ desk, offer }: { desk: Desk; offer: Offered }) {
  const { trajectory } = desk.task;
  const { at } = trajectory;
  const place = placeOf(trajectory);
  const parts = partsOf(trajectory);
  const label = `Completions of step ${at + 1}`;
  const write = () => desk.run("write");
  return (
    <section aria-label={label}>
      <h2 className={classes.title}>{strings.label.step(at + 1)}</h2>
      {parts.length > 0 && (
        <CandidateList
          desk={desk}
          label={label}
          step={at}
          parts={parts}
          hasNotes
          isAway={place.writing !== null && desk.isWriting}
          marks={(part) => <Marks desk={desk} part={part} />}
          ofBad={
            asksAnything(desk.assignment.phase)
              ? (part) => <Mistake desk={desk} spot={{ step: at, part }} />
              : undefined
          }
        />
      )}
      {place.writing ? (
        <OwnStep desk={desk} text={place.writing.text} />
      ) : (
        place.own === null && <OfferNotice offer={offer} onWrite={write} />
      )}
    </section>
  );
}

/** The marks on a completion: final answer, goes on, or a button to choose it. */
function Marks({ desk, part }: { desk: Desk; part: Part }) {
  const keyOf = useKeyOf();
  const { trajectory, dispatch } = desk.task;
  const place = placeOf(trajectory);
  const candidate = candidateAt(place, part);
  const isChosen = part.index === chosenIndex(place);
  const choose = isSame(part, trajectory.focus) ? keyOf("choose") : "";
  return (
    <>
      {candidate?.statesAnswer && !trajectory.asked.byHand && <span className={own.mark}>Final answer</span>}
      {isChosen && <span className={own.chosen}>Goes on</span>}
      {!isChosen && candidate?.answer === "great" && (
        <Button
          size="tiny"
          look="quiet"
          aria-keyshortcuts={choose || undefined}
          onClick={() => dispatch({ type: "choose", index: part.index })}
        >
          Go on with this one {choose && <kbd aria-hidden>{choose}</kbd>}
        </Button>
      )}
      {candidate === place.own && (
        <KeyButton command="write" size="tiny" look="quiet" onClick={() => desk.run("write")}>
          Edit
        </KeyButton>
      )}
    </>
  );
}

interface NoticeProps {
  offer: Offered;
  /** Starts an own step in place of missing completions. */
  onWrite: () => void;
}

/** The notice while completions are pending, or if none came; otherwise nothing. */
function OfferNotice({ offer, onWrite }: NoticeProps) {
  if (offer.status === "pending") return <Waiting onWrite={onWrite} />;
  if (offer.status === "failed") {
    return (
      <Notice tone="unsure">
        <div className={own.told}>
          <strong>No more completions came.</strong>
          <p className="small">{offer.detail}</p>
        </div>
        <div className="row">
          <Button size="small" look="plain" onClick={offer.again}>
            Ask again
          </Button>
          <WriteButton onWrite={onWrite} />
        </div>
      </Notice>
    );
  }
  if (offer.status === "idle" || offer.completions.length > 0) return null;
  return (
    <div className={own.waiting} role="status">
      <p className="small">
        Nothing is stored after this step. Let another Great completion go on, write the step yourself, or give up.
      </p>
      <WriteButton onWrite={onWrite} />
    </div>
  );
}

function Waiting({ onWrite }: Pick<NoticeProps, "onWrite">) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={own.waiting}>
      <Spinner size="small" isSilent />
      <p className="small" role="status">
        {isLong ? "This takes a while. You can wait, or write your own." : "Looking for completions"}
      </p>
      {isLong && <WriteButton onWrite={onWrite} />}
    </div>
  );
}

function WriteButton({ onWrite }: Pick<NoticeProps, "onWrite">) {
  return (
    <KeyButton command="write" size="small" look="plain" onClick={onWrite}>
      Write your own
    </KeyButton>
  );
}
