import { useReducer } from "react";
import { RATINGS, ratingWord, type RATED, type RatingWord } from "@/shared/ratings";
import { begin } from "./trajectory/draft";
import { reduce, type Action } from "./trajectory/moves";
import { answeredCount, finishReason, firstBad, frontier, ratingOf, type Trajectory } from "./trajectory/trajectory";

/** By step; null where there is none. */
export type Ratings = readonly (number | null)[];
type Rated = (typeof RATED)[number];
type Given = Action | { type: "take"; ratings: Ratings };

interface State {
  labelling: Trajectory;
  /** What undo goes back to: taking somebody's ratings is one move. */
  before: readonly Trajectory[];
}

function from(steps: number, ratings: Ratings): Trajectory {
  const given = ratings.slice(0, steps).map((rating, step) => ({
    ...{ step, completion: 0, text: "", note: "", active_ms: 0 },
    ...{ rating: RATINGS[ratingWord(rating, true) ?? "unsure"], is_flagged: false, is_chosen: true, is_human: false },
  }));
  const texts = Array.from({ length: steps }, () => "");
  return begin(texts, { ratings: given });
}

function answersOf(labelling: Trajectory): (RatingWord | null)[] {
  return labelling.places.map((_, step) => ratingOf(labelling, step));
}

function change({ labelling, before }: State, action: Given): State {
  if (action.type === "undo") return { labelling: before.at(-1) ?? labelling, before: before.slice(0, -1) };
  if (action.type === "take")
    return { labelling: from(labelling.places.length, action.ratings), before: [...before, labelling] };
  const changed = reduce(labelling, action);
  const isSame = String(answersOf(changed)) === String(answersOf(labelling));
  return { labelling: changed, before: isSame ? before : [...before, labelling] };
}

/** An expert's ratings of a whole solution: the instrument's moves, with an undo that also takes back `take`. */
export function useRatedSolution(steps: number, ratings: Ratings = []) {
  const [{ labelling, before }, dispatch] = useReducer(change, null, () => ({
    labelling: from(steps, ratings),
    before: [],
  }));
  const answers = answersOf(labelling);
  const isFinished = finishReason(labelling) !== null;
  return {
    dispatch,
    answers,
    focus: labelling.at,
    end: frontier(labelling),
    bad: firstBad(labelling),
    canUndo: before.length > 0,
    /** Changes with every rating. */
    revision: labelling.history.length + before.length,
    /** What is sent: null while a step that counts has none. */
    finished: isFinished ? answers.slice(0, answeredCount(labelling)).map((word) => RATINGS[word as Rated]) : null,
  };
}

export type RatedSolution = ReturnType<typeof useRatedSolution>;
