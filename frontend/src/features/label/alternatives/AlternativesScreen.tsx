import { useMemo, useState } from "react";
import { strings } from "@/shared/strings";
import { useSettled } from "@/shared/useSettled";
import type { Command } from "../keymap";
import type { PanelProgress } from "../ProblemPanel";
import { TaskFrame, type TaskProps } from "../TaskFrame";
import { useTools } from "../useTools";
import { CurrentStep } from "./CurrentStep";
import { candidatesOf, finishReason, placeOf, stopsOf, type Trajectory } from "./places";
import { StepsBehind } from "./StepsBehind";
import { TrajectoryBar } from "./TrajectoryBar";
import { useTrajectory } from "./useTrajectory";
import { lastChange } from "./words";

const says = strings.label;

function progressOf(trajectory: Trajectory): PanelProgress {
  const place = placeOf(trajectory);
  const all = place?.offered.length ?? 0;
  const done = place?.offered.filter(({ answer }) => answer !== null).length ?? 0;
  return {
    says: says.trajectory.progress(trajectory.at + 1, done, all),
    percent: finishReason(trajectory) ? 100 : (100 * done) / Math.max(all, 1),
    activeMs: trajectory.activeMs,
  };
}

export default function AlternativesScreen({ assignment, onAgain }: TaskProps) {
  const task = useTrajectory(assignment);
  const { trajectory, dispatch, place, path, finish, work } = task;
  const settled = useSettled(trajectory); // what was rated is drawn first, what stands around it in the next frame
  const progress = useMemo(() => progressOf(settled), [settled]);
  const [noteOf, setNoteOf] = useState<number | null>(null);
  const focused = place && candidatesOf(place)[trajectory.focus];
  const tools = useTools({
    assignment,
    steps: focused ? [...path, focused.text] : path,
    current: focused ? path.length : path.length - 1,
  });

  const run = (command: Command) => {
    switch (command) {
      case "great":
      case "okay":
      case "bad":
      case "unsure":
        dispatch({ type: "answer", index: trajectory.focus, answer: command });
        break;
      case "next":
        dispatch({ type: "focus", index: trajectory.focus + 1 });
        break;
      case "previous":
        dispatch({ type: "focus", index: trajectory.focus - 1 });
        break;
      case "choose":
        dispatch({ type: "choose", index: trajectory.focus });
        break;
      case "write":
        dispatch({ type: "write", text: place?.writing?.text ?? place?.own?.text ?? "" });
        break;
      case "undo":
        dispatch({ type: "undo" });
        break;
      case "note":
        if (focused) setNoteOf(trajectory.focus);
        break;
      case "submit":
        if (finish) task.submit(finish);
        else dispatch({ type: "go_on" });
        break;
      default:
        tools.run(command);
    }
  };

  const stops = stopsOf(trajectory);
  const reopen = (step: number) => dispatch({ type: "reopen", step });
  return (
    <TaskFrame
      assignment={assignment}
      onAgain={onAgain}
      work={work}
      tools={tools}
      said={lastChange(settled)}
      progress={progress}
      canUndo={settled.changes.length > 0}
      onCommand={run}
      onGiveUp={task.submit}
    >
      <StepsBehind stops={stops.slice(0, trajectory.at)} from={0} onReopen={reopen} />
      <CurrentStep
        key={trajectory.at}
        task={task}
        before={tools.isComparing ? path.at(-1) : undefined}
        noteOf={noteOf}
        onWriteNote={setNoteOf}
        onCommand={run}
      />
      <StepsBehind stops={stops.slice(trajectory.at + 1)} from={trajectory.at + 1} onReopen={reopen} />
      <TrajectoryBar task={task} onCommand={run} />
    </TaskFrame>
  );
}
