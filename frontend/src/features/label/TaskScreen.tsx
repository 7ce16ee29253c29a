import { answeredCount, finishReason, type Trajectory } from "@/rating/trajectory/trajectory";
import { strings } from "@/shared/strings";
import { Docks } from "./Docks";
import type { PanelProgress } from "./ProblemPanel";
import { StepList } from "./StepList";
import { SubmitBar } from "./SubmitBar";
import { TaskFrame, type TaskProps } from "./TaskFrame";
import { useDesk } from "./useDesk";
import { useTask } from "./useTask";

function progressOf(trajectory: Trajectory): PanelProgress {
  const done = answeredCount(trajectory);
  const all = trajectory.places.length;
  return {
    says: strings.label.progress(done, all),
    percent: finishReason(trajectory) ? 100 : (100 * done) / Math.max(all, 1),
    activeMs: trajectory.activeMs,
  };
}

/** A task of kind `solutions`. */
export function TaskScreen({ assignment, onAgain }: TaskProps) {
  const task = useTask(assignment);
  const desk = useDesk(assignment, task);
  return (
    <TaskFrame desk={desk} progressOf={progressOf} onAgain={onAgain}>
      <StepList desk={desk} />
      <Docks desk={desk}>
        <SubmitBar trajectory={task.settled} onCommand={desk.run} />
      </Docks>
    </TaskFrame>
  );
}
