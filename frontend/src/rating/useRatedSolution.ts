import { useReducer } from "react";
import { RATINGS, ratingWord, type RATED } from "@/shared/words/ratings";
import { begin, type Said } from "./trajectory/draft";
import { reduce, type Action } from "./trajectory/moves";
import { NO_MISTAKE } from "./trajectory/places";
import {
  answeredCount,
  finishReason,
  NOTHING_ASKED,
  placeOf,
  ratingOf,
  type Trajectory,
} from "./trajectory/trajectory";

/** A value for each step; null where there is none. */
export type Ratings = readonly (number | null)[];
type Given = Action | { type: "take"; ratings: Ratings; said: readonly Partial<Said>[] };

interface State {
  trajectory: Trajectory;
  /** The states that undo goes back to: taking somebody's ratings is one move. */
  before: readonly Trajectory[];
}

function from(
  steps: readonly string[],
  ratings: Ratings,
  allSteps: boolean,
  said: readonly Partial<Said>[] = [],
): Trajectory {
  const given = ratings.slice(0, steps.length).map((rating, step) => ({
    ...said[step],
    ...{ step, completion: 0, text: "", note: "", active_ms: 0 },
    ...{ rating: RATINGS[ratingWord(rating, true) ?? "unsure"], is_flagged: false, is_chosen: true, is_human: false },
  }));
  return begin(steps, { ratings: given }, { ...NOTHING_ASKED, allSteps });
}

function answersOf(trajectory: Trajectory) {
  return trajectory.places.map((_, step) => ratingOf(trajectory, step));
}

/** True if answers and statements are the same, so that undo would take nothing back. */
function isSame(one: Trajectory, other: Trajectory): boolean {
  const isSaid = one.places.every(
    ({ offered: [own] }, step) => own?.mistake === placeOf(other, step).offered[0]?.mistake,
  );
  return isSaid && String(answersOf(one)) === String(answersOf(other));
}

function asking(trajectory: Trajectory, allSteps: boolean): Trajectory {
  return trajectory.asked.allSteps === allSteps ? trajectory : { ...trajectory, asked: { ...NOTHING_ASKED, allSteps } };
}

function change({ trajectory, before }: State, action: Given): State {
  if (action.type === "undo") return { trajectory: before.at(-1) ?? trajectory, before: before.slice(0, -1) };
  const steps = trajectory.places.map(({ offered }) => offered[0]?.text ?? "");
  const isTaken = action.type === "take";
  const changed = isTaken
    ? from(steps, action.ratings, trajectory.asked.allSteps ?? false, action.said)
    : reduce(trajectory, action);
  return {
    trajectory: changed,
    before: !isTaken && isSame(changed, trajectory) ? before : [...before, trajectory],
  };
}

/**
 * An expert's ratings of a whole solution: the instrument's moves, with an undo that also takes back `take`. They end
 * at the first Bad step, unless `allSteps` are rated, which may change meanwhile.
 */
export function useRatedSolution(steps: readonly string[], ratings: Ratings = [], allSteps = false) {
  const [{ trajectory: rated, before }, dispatch] = useReducer(
    (state: State, action: Given) => change({ ...state, trajectory: asking(state.trajectory, allSteps) }, action),
    null,
    (): State => ({ trajectory: from(steps, ratings, allSteps), before: [] }),
  );
  const trajectory = asking(rated, allSteps);
  const isFinished = finishReason(trajectory) !== null;
  const answers = answersOf(trajectory).slice(0, answeredCount(trajectory));
  return {
    trajectory,
    dispatch,
    canUndo: before.length > 0,
    /** Changes with every rating. */
    revision: trajectory.history.length + before.length,
    /** The statements about the errors of the steps that count. */
    mistakes: answers.map((word, step) =>
      word === "bad" ? (placeOf(trajectory, step).offered[0]?.mistake ?? NO_MISTAKE) : NO_MISTAKE,
    ),
    /** The ratings that are sent: null while a step that counts has none. */
    finished: isFinished ? answers.map((word) => RATINGS[word as (typeof RATED)[number]]) : null,
  };
}

export type RatedSolution = ReturnType<typeof useRatedSolution>;
