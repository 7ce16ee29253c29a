import { chosenIndex, isSettled } from "@/rating/trajectory/places";
import { nameOf } from "@/rating/names";
import { finishReason, placeOf, wayOf, type Trajectory } from "@/rating/trajectory/trajectory";
import { Docks } from "../Docks";
import type { PanelProgress } from "../ProblemPanel";
import { TaskFrame, type TaskProps } from "../TaskFrame";
import { useDesk } from "../useDesk";
import { useTask } from "../useTask";
import { CurrentStep } from "./CurrentStep";
import { StepsBehind } from "./StepsBehind";
import { TrajectoryBar } from "./TrajectoryBar";
import { useNextSteps } from "./useNextSteps";
import { says as texts } from "./strings";

const says = texts.trajectory;

function progressOf(trajectory: Trajectory): PanelProgress {
  const { offered } = placeOf(trajectory);
  const done = offered.filter(({ answer }) => answer !== null).length;
  return {
    says: says.progress(trajectory.at + 1, done, offered.length),
    percent: finishReason(trajectory) ? 100 : (100 * done) / Math.max(offered.length, 1),
    activeMs: trajectory.activeMs,
  };
}

/** Which completion goes on, once everything is rated. */
function goesOn(trajectory: Trajectory): string {
  const place = placeOf(trajectory);
  if (!isSettled(place)) return "";
  return says.goesOn(nameOf(trajectory, trajectory.at, { kind: "completions", index: chosenIndex(place) ?? 0 }));
}

/** A task of kind `alternatives`. */
export default function AlternativesScreen({ assignment, onAgain }: TaskProps) {
  const task = useTask(assignment);
  const desk = useDesk(assignment, task);
  const offer = useNextSteps(assignment.id, task);
  const { trajectory, settled, dispatch } = task;
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
