import { strings } from "@/shared/strings";
import type { Item } from "../CompletionCard";
import { CompletionList } from "../CompletionList";
import type { Command } from "../keymap";
import { OfferNotice } from "../OfferNotice";
import own from "./Alternatives.module.css";
import { OwnStep } from "./OwnStep";
import { candidatesOf, chosenIndex, type Place } from "./places";
import type { TrajectoryTask } from "./useTrajectory";

const says = strings.label;

interface Props {
  task: TrajectoryTask;
  /** What the completion in focus is compared with. */
  before?: string;
  noteOf: number | null;
  onWriteNote: (index: number | null) => void;
  onCommand: (command: Command) => void;
}

function itemsOf(place: Place): Item[] {
  const chosen = chosenIndex(place);
  return candidatesOf(place).map((candidate, index) => ({
    ...candidate,
    isHuman: index === place.offered.length,
    isChosen: index === chosen,
  }));
}

/** What can come next: completions to rate, and the annotator's own step. */
export function CurrentStep({
  task: { trajectory, place, offer, dispatch },
  before,
  noteOf,
  onWriteNote,
  onCommand,
}: Props) {
  const items = place === null ? [] : itemsOf(place);
  const write = () => onCommand("write");
  return (
    <section aria-label={says.completions.list(trajectory.at + 1)}>
      <h2 className={own.title}>{says.step(trajectory.at + 1)}</h2>
      {items.length > 0 && (
        <CompletionList
          items={items}
          focus={place?.writing ? null : trajectory.focus}
          label={says.completions.list(trajectory.at + 1)}
          before={before}
          noteOf={noteOf}
          onWriteNote={onWriteNote}
          onEdit={write}
          onTool={onCommand}
          onAnswer={(index, answer) => dispatch({ type: "answer", index, answer })}
          onFocus={(index) => dispatch({ type: "focus", index })}
          onChoose={(index) => dispatch({ type: "choose", index })}
          onNote={(index, note) => dispatch({ type: "note", index, note })}
        />
      )}
      {place?.writing ? (
        <OwnStep step={trajectory.at + 1} text={place.writing.text} dispatch={dispatch} />
      ) : (
        items.every((item) => !item.isHuman) && <OfferNotice offer={offer} onWrite={write} />
      )}
    </section>
  );
}
