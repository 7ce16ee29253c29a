import own from "@/rating/StepCard.module.css";
import { useKeyOf } from "@/rating/keys/useKeys";
import { candidateAt, chosenIndex, isSame, type Part } from "@/rating/trajectory/places";
import { partsOf, placeOf } from "@/rating/trajectory/trajectory";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import type { Offered } from "@/work/useOffer";
import { CandidateList } from "../CandidateList";
import { OfferNotice } from "../OfferNotice";
import type { Desk } from "../useDesk";
import classes from "./Alternatives.module.css";
import { OwnStep } from "./OwnStep";
import { says } from "./strings";

/** What can come next: completions to rate, and the annotator's own step. */
export function CurrentStep({ desk, offer }: { desk: Desk; offer: Offered }) {
  const { trajectory } = desk.task;
  const { at } = trajectory;
  const place = placeOf(trajectory);
  const parts = partsOf(trajectory);
  const label = says.completions.list(at + 1);
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

/** Whether a completion goes on, or could, and whether the solution would end there. */
function Marks({ desk, part }: { desk: Desk; part: Part }) {
  const keyOf = useKeyOf();
  const { trajectory, dispatch } = desk.task;
  const place = placeOf(trajectory);
  const candidate = candidateAt(place, part);
  const isChosen = part.index === chosenIndex(place);
  const choose = isSame(part, trajectory.focus) ? keyOf("choose") : "";
  return (
    <>
      {candidate?.statesAnswer && <span className={own.mark}>{says.completions.statesAnswer}</span>}
      {isChosen && <span className={own.chosen}>{says.completions.chosen}</span>}
      {!isChosen && candidate?.answer === "great" && (
        <Button
          size="tiny"
          look="quiet"
          aria-keyshortcuts={choose || undefined}
          onClick={() => dispatch({ type: "choose", index: part.index })}
        >
          {says.completions.choose} {choose && <kbd aria-hidden>{choose}</kbd>}
        </Button>
      )}
      {candidate === place.own && (
        <Button size="tiny" look="quiet" aria-keyshortcuts={keyOf("write")} onClick={() => desk.run("write")}>
          {says.completions.edit} <kbd aria-hidden>{keyOf("write")}</kbd>
        </Button>
      )}
    </>
  );
}
