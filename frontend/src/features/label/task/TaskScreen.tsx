import { memo } from "react";
import { asksAboutMistakes, type Command } from "@/rating/keys/keymap";
import { StepList } from "@/rating/StepList";
import {
  answeredCount,
  isRated,
  finishReason,
  firstBad,
  nameless,
  openPart,
  ratingOf,
  unexplained,
  type Trajectory,
} from "@/rating/trajectory/trajectory";
import { lazily } from "@/shared/page/Contained";
import { plural } from "@/shared/words/format";
import { strings } from "@/shared/words/strings";
import { Docks, EndBar } from "./Docks";
import type { PanelProgress } from "./ProblemPanel";
import { TaskFrame, type TaskProps } from "./TaskFrame";
import { useDesk, type Desk } from "./useDesk";

const Outline = lazily(() => import("./Outline"));
const MistakePanel = lazily<{ desk: Desk; step: number }>(() => import("../asking/MistakePanel"));
const BesidePanels = lazily(() => import("../beside/BesidePanels"));

const says = strings.label;
const MISSING = {
  completions: "Next: rate the alternatives.",
  critiques: "Next: rate the critiques, or write your own.",
  progress: "Next: how far had it got?",
};

function progressOf(trajectory: Trajectory): PanelProgress {
  const done = answeredCount(trajectory);
  const all = trajectory.places.length;
  return {
    says: says.progress(done, all),
    percent: finishReason(trajectory) ? 100 : (100 * done) / Math.max(all, 1),
    activeMs: trajectory.activeMs,
  };
}

/** A task of kind `solutions`. */
export function TaskScreen({ assignment, onAgain }: TaskProps) {
  const desk = useDesk(assignment);
  const { trajectory, settled, dispatch } = desk.task;
  const { asked, history } = trajectory;
  const bad = firstBad(trajectory);
  const asksMore = asked.completions || asked.critiques || asked.progress;
  return (
    <TaskFrame
      desk={desk}
      progressOf={progressOf}
      onAgain={onAgain}
      outline={
        assignment.solution.turns && (
          <Outline turns={assignment.solution.turns} trajectory={settled} onSelect={desk.onSelect} />
        )
      }
    >
      <StepList
        trajectory={trajectory}
        dispatch={dispatch}
        revision={history.length}
        isComparing={desk.tools.isComparing}
        later={assignment.phase.later_steps}
        turns={assignment.solution.turns}
        opened={desk.opened}
        noteOf={desk.noteOf}
        onWriteNote={desk.onWriteNote}
        inside={
          asksAboutMistakes(assignment.phase) &&
          ((step) => ratingOf(trajectory, step) === "bad" && <MistakePanel desk={desk} step={step} />)
        }
        after={(step) => step === bad && asksMore && <BesidePanels key={assignment.id} desk={desk} bad={bad} />}
      />
      <Docks desk={desk}>
        <SubmitBar trajectory={settled} onCommand={desk.run} />
      </Docks>
    </TaskFrame>
  );
}

interface SubmitBarProps {
  trajectory: Trajectory;
  onCommand: (command: Command) => void;
}

/** Appears when the steps are rated: says how it ends and what is still asked for, and sends it. */
const SubmitBar = memo(function SubmitBar({ trajectory, onCommand }: SubmitBarProps) {
  const bad = firstBad(trajectory);
  const finish = finishReason(trajectory);
  if (!isRated(trajectory)) return null;
  const next = openPart(trajectory);
  const step = unexplained(trajectory);
  const why = step === null ? null : `Next: say in a note why you are unsure about step ${step + 1}.`;
  const common = { button: "Submit", command: finish && ("submit" as const), onCommand };
  const unnamed = nameless(trajectory);
  if (bad !== null) {
    const after = trajectory.asked.allSteps ? "" : says.foundErrorMore;
    const more = unnamed !== null ? `Next: what kind of error has step ${unnamed + 1}?` : next && MISSING[next.kind];
    const others = trajectory.places.filter((_, at) => ratingOf(trajectory, at) === "bad").length - 1;
    const title = trajectory.asked.allSteps && others > 0 ? says.foundErrors(others + 1) : says.foundError(bad + 1);
    return <EndBar tone="bad" title={title} more={why ?? more ?? after} {...common} />;
  }
  const unsure = trajectory.places.filter((_, step) => ratingOf(trajectory, step) === "unsure").length;
  const flagged = `No error found, ${plural(unsure, "step is", "steps are")} flagged Unsure`;
  const [tone, title] = unsure > 0 ? (["unsure", flagged] as const) : (["great", says.wholeSolution] as const);
  return <EndBar tone={tone} title={title} more={why ?? says.lastStepHint} {...common} />;
});
