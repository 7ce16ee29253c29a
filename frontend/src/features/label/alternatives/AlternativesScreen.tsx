import { useQueryClient } from "@tanstack/react-query";
import type { Assignment } from "@/api/types";
import { useEffect, useMemo } from "react";
import { KeyButton } from "@/rating/keys/KeyButton";
import { nameOf } from "@/rating/words/names";
import classes from "@/rating/TaskScreen.module.css";
import { chosenIndex, completionsOf, isSettled, isStuck, type Place } from "@/rating/trajectory/places";
import {
  finishReason,
  isInFocus,
  likelyPath,
  nameless,
  pathOf,
  placeOf,
  wayOf,
  type Trajectory,
} from "@/rating/trajectory/trajectory";
import { MathText } from "@/shared/text/MathText";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { prefetchOffer, useOffer, type Offered } from "@/work/useOffer";
import { Docks, EndBar } from "../task/Docks";
import type { PanelProgress } from "../task/ProblemPanel";
import { TaskFrame, type TaskProps } from "../task/TaskFrame";
import { useDesk, type Desk } from "../task/useDesk";
import own from "./Alternatives.module.css";
import { CurrentStep } from "./CurrentStep";

function progressOf(trajectory: Trajectory): PanelProgress {
  const { offered } = placeOf(trajectory);
  const done = offered.filter(({ answer }) => answer !== null).length;
  return {
    says: `Step ${trajectory.at + 1}: ${done} of ${offered.length} rated`,
    percent: finishReason(trajectory) ? 100 : (100 * done) / Math.max(offered.length, 1),
    activeMs: trajectory.activeMs,
  };
}

/** Names the completion that goes on, once the step is rated; otherwise "". */
function goesOn(trajectory: Trajectory): string {
  const place = placeOf(trajectory);
  if (!isSettled(place)) return "";
  return `${nameOf(trajectory, trajectory.at, { kind: "completions", index: chosenIndex(place) ?? 0 })} goes on.`;
}

/** A task of kind `alternatives`. */
export default function AlternativesScreen({ assignment, onAgain }: TaskProps) {
  const desk = useDesk(assignment);
  const { trajectory, settled, dispatch } = desk.task;
  const offer = useNextSteps(assignment, desk.task);
  const way = wayOf(trajectory);
  const reopen = (step: number) => dispatch({ type: "focus", step });
  return (
    <TaskFrame desk={desk} progressOf={progressOf} said={goesOn(settled)} onAgain={onAgain}>
      <StepsBehind places={way.slice(0, trajectory.at)} from={0} onReopen={reopen} />
      <CurrentStep key={trajectory.at} desk={desk} offer={offer} />
      <StepsBehind places={way.slice(trajectory.at + 1)} from={trajectory.at + 1} onReopen={reopen} />
      <Docks desk={desk}>
        <TrajectoryBar desk={desk} offer={offer} goesOn={goesOn(trajectory)} />
      </Docks>
    </TaskFrame>
  );
}

/** Adds the completions on offer to the trajectory, and prefetches those of the most probable next step. */
function useNextSteps({ id: assignment, solution: { markup } }: Assignment, { trajectory, dispatch }: Desk["task"]) {
  const queries = useQueryClient();
  const here = JSON.stringify(pathOf(trajectory));
  const path = useMemo(() => JSON.parse(here) as string[], [here]);
  // A rated step fetches nothing more: its completions stay as offered.
  const offer = useOffer(assignment, "step", path, !isSettled(placeOf(trajectory)));
  const { completions } = offer;
  useEffect(() => dispatch({ type: "offered", kind: "completions", path, completions }), [dispatch, path, completions]);

  const likely = likelyPath(trajectory);
  const ahead = likely && JSON.stringify(likely);
  useEffect(() => {
    if (ahead !== null) prefetchOffer(queries, assignment, "step", JSON.parse(ahead) as string[], markup);
  }, [queries, assignment, ahead, markup]);
  return offer;
}

interface BehindProps {
  places: readonly Place[];
  /** The step of the first one, counted from 0. */
  from: number;
  onReopen: (step: number) => void;
}

/** The chosen steps before or after the one on the screen, each of which can be opened again. */
function StepsBehind({ places, from, onReopen }: BehindProps) {
  if (places.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- Safari forgets that it is a list once its bullets are off
    <ol role="list" className={own.behind} start={from + 1} aria-label="The solution so far">
      {places.map((place, index) => (
        <StepBehind key={index} place={place} step={from + index + 1} onReopen={() => onReopen(from + index)} />
      ))}
    </ol>
  );
}

function StepBehind({ place, step, onReopen }: { place: Place; step: number; onReopen: () => void }) {
  const index = chosenIndex(place);
  return (
    <li className={own.done} data-rating={index === null ? undefined : "great"}>
      <div className={own.doneHead}>
        <span className={classes.stepNumber}>{strings.label.step(step)}</span>
        {index === place.offered.length && <span className={classes.quiet}>{strings.label.completions.own}</span>}
        <Button
          size="tiny"
          look="quiet"
          onClick={onReopen}
          aria-label={index === null ? undefined : `Change step ${step}`}
        >
          {index === null ? `Back to step ${step}` : "Change"}
        </Button>
      </div>
      {index !== null && <MathText text={completionsOf(place)[index]?.text ?? ""} />}
    </li>
  );
}

interface BarProps {
  desk: Desk;
  offer: Offered;
  /** Names the completion that goes on. */
  goesOn: string;
}

/** The ways on once a step is rated: the step after it, the end, or a step of one's own. */
function TrajectoryBar({ desk, offer, goesOn }: BarProps) {
  const { trajectory, dispatch, finish } = desk.task;
  const place = placeOf(trajectory);
  if (place.writing !== null) return null;
  const unnamed = nameless(trajectory);
  if (unnamed) {
    const { step, part } = unnamed;
    const there = step === trajectory.at ? "" : `${strings.label.step(step + 1)}: `;
    return (
      <EndBar
        tone="bad"
        title={`${there}${nameOf(trajectory, step, part)} is Bad.`}
        more="Next: what kind of error has it?"
        button="Say it"
        command={isInFocus(trajectory, unnamed) ? null : "submit"}
        onCommand={desk.run}
      />
    );
  }
  if (isStuck(place) && place.offered.length > 0 && offer.status === "ready") {
    return (
      <EndBar
        tone="unsure"
        title="No completion is Great."
        more="Write the step yourself, or give up."
        button="Write your own"
        command="write"
        onCommand={desk.run}
      />
    );
  }
  if (!isSettled(place)) return null;
  const { byHand = false } = trajectory.asked;
  const on = { tone: "great", command: "submit", onCommand: desk.run } as const;
  if (finish) {
    return (
      <EndBar {...on} title={byHand ? "Finished here." : "The final answer is reached."} more="" button="Submit">
        <Button
          size="tiny"
          look="plain"
          onClick={() => dispatch(byHand ? { type: "finish", isEnd: false } : { type: "go_on" })}
        >
          This is not the end
        </Button>
      </EndBar>
    );
  }
  const next = Math.max(wayOf(trajectory).length, trajectory.at + 2);
  const isOnlyOne = completionsOf(place).filter(({ answer }) => answer === "great").length === 1;
  const more = isOnlyOne ? "" : "Another Great one can go on in its place.";
  return (
    <EndBar {...on} title={goesOn} more={more} button={`Go on to step ${next}`}>
      {byHand && wayOf(trajectory).length === trajectory.at + 1 && (
        <KeyButton command="finish" size="tiny" look="plain" onClick={() => desk.run("finish")}>
          The solution is finished here
        </KeyButton>
      )}
    </EndBar>
  );
}
