import type { ReactNode } from "react";
import { nameOf, ratingNameOf } from "@/rating/names";
import { RatingDock } from "@/rating/RatingDock";
import reading from "@/rating/reading.module.css";
import { answerAt, candidateAt, PROGRESS_OF } from "@/rating/trajectory/places";
import { placeOf, type Trajectory } from "@/rating/trajectory/trajectory";
import { RATED, WORDS, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { useThumbTools } from "./ThumbTools";
import type { Desk } from "./useDesk";

const { progressOf } = strings.label.beside;
const PROGRESS_WORDS = {
  great: progressOf[PROGRESS_OF.great],
  okay: progressOf[PROGRESS_OF.okay],
  bad: progressOf[PROGRESS_OF.bad],
  unsure: progressOf[PROGRESS_OF.unsure],
};

/** What the keys of the ratings give to what is in focus. */
function givenTo(trajectory: Trajectory): RatingWord | null {
  const answer = answerAt(placeOf(trajectory), trajectory.focus);
  return WORDS.find((word) => (trajectory.focus.kind === "progress" ? PROGRESS_OF[word] : word) === answer) ?? null;
}

/** Under the steps: how it ends (above, as it comes and goes), and the buttons for what is in focus. */
export function Docks({ desk, children }: { desk: Desk; children: ReactNode }) {
  const { settled } = desk.task;
  const { at, focus } = settled;
  const place = placeOf(settled);
  const candidate = candidateAt(place, focus);
  const thumb = useThumbTools(desk);
  const isProgress = focus.kind === "progress";
  return (
    <div className={reading.docks}>
      {children}
      {thumb.bar}
      {!(place.writing && desk.isWriting) && (
        <RatingDock
          name={nameOf(settled, at, focus)}
          label={ratingNameOf(settled)}
          words={focus.kind === "critiques" ? RATED : WORDS}
          columns={WORDS.length}
          meanings={isProgress ? PROGRESS_WORDS : null}
          given={givenTo(settled)}
          isDisabled={!isProgress && (candidate === undefined || candidate === place.own)}
          isComparing={desk.tools.isComparing}
          hasNote={focus.kind === "completions" && (settled.kind === "alternatives" || focus.index === 0)}
          canUndo={desk.canUndo}
          more={thumb.button}
          onCommand={desk.run}
        />
      )}
    </div>
  );
}
