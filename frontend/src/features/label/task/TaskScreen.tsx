import { memo, type ReactNode } from "react";
import type { Command } from "@/rating/keys/keymap";
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
import { FIRST } from "@/rating/trajectory/places";
import { asksAnything } from "@/rating/words/asks";
import { nameInside } from "@/rating/words/names";
import { lazily } from "@/shared/page/Contained";
import type { RatingWord } from "@/shared/words/ratings";
import { plural } from "@/shared/words/format";
import { strings } from "@/shared/words/strings";
import { Docks, EndBar } from "./Docks";
import { Mistake } from "../beside/Mistake";
import type { PanelProgress } from "./ProblemPanel";
import { TaskFrame, type TaskProps } from "./TaskFrame";
import { DeskOfSteps, useDeskOfSteps, useDeskStore } from "./deskOfSteps";
import { useDesk } from "./useDesk";

const Outline = lazily(() => import("./Outline"));
const Unopened = lazily(() => import("./Unopened"));
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

function MistakeOfStep({ step }: { step: number }) {
  const desk = useDeskOfSteps();
  return desk && <Mistake desk={desk} spot={{ step, part: FIRST }} />;
}

function Beside({ bad }: { bad: number }) {
  const desk = useDeskOfSteps();
  return desk && <BesidePanels desk={desk} bad={bad} />;
}

const mistakeOf = (step: number, answer: RatingWord | null) => answer === "bad" && <MistakeOfStep step={step} />;
const besideOf = (bad: number) => <Beside key={bad} bad={bad} />;

/** A task of kind `solutions`. */
export function TaskScreen({ assignment, onAgain }: TaskProps) {
  const desk = useDesk(assignment);
  const deskStore = useDeskStore(desk);
  const { trajectory, settled, dispatch } = desk.task;
  const { asked, history } = trajectory;
  const { turns } = assignment.solution;
  const asksMore = asked.completions || asked.critiques || asked.progress;
  return (
    <TaskFrame
      desk={desk}
      progressOf={progressOf}
      onAgain={onAgain}
      outline={turns && <Outline turns={turns} trajectory={settled} onSelect={desk.onSelect} />}
    >
      <DeskOfSteps value={deskStore}>
        <StepList
          trajectory={trajectory}
          dispatch={dispatch}
          revision={history.length}
          isComparing={desk.tools.isComparing}
          later={assignment.phase.later_steps}
          turns={turns}
          opened={desk.opened}
          noteOf={desk.noteOf}
          onWriteNote={desk.onWriteNote}
          inside={asksAnything(assignment.phase) ? mistakeOf : undefined}
          after={asksMore ? besideOf : undefined}
        />
      </DeskOfSteps>
      <Docks desk={desk}>
        <SubmitBar trajectory={settled} onCommand={desk.run}>
          {turns && <Unopened turns={turns} trajectory={settled} seen={desk.seen} onSelect={desk.onSelect} />}
        </SubmitBar>
      </Docks>
    </TaskFrame>
  );
}

interface SubmitBarProps {
  trajectory: Trajectory;
  onCommand: (command: Command) => void;
  children?: ReactNode;
}

/** Appears when the steps are rated: says how it ends and what is still asked for, and sends it. */
const SubmitBar = memo(function SubmitBar({ trajectory, onCommand, children }: SubmitBarProps) {
  const bad = firstBad(trajectory);
  const finish = finishReason(trajectory);
  if (!isRated(trajectory)) return null;
  const next = openPart(trajectory);
  const step = unexplained(trajectory);
  const why = step === null ? null : `Next: say in a note why you are unsure about step ${step + 1}.`;
  const common = { button: "Submit", command: finish && ("submit" as const), onCommand, children };
  const unnamed = nameless(trajectory);
  if (bad !== null) {
    const after = trajectory.asked.allSteps ? "" : says.foundErrorMore;
    const more = unnamed
      ? `Next: what kind of error has ${nameInside(trajectory, unnamed)}?`
      : next && MISSING[next.kind];
    const others = trajectory.places.filter((_, at) => ratingOf(trajectory, at) === "bad").length - 1;
    const title = trajectory.asked.allSteps && others > 0 ? says.foundErrors(others + 1) : says.foundError(bad + 1);
    return <EndBar tone="bad" title={title} more={why ?? more ?? after} {...common} />;
  }
  const unsure = trajectory.places.filter((_, step) => ratingOf(trajectory, step) === "unsure").length;
  const flagged = `No error found, ${plural(unsure, "step is", "steps are")} flagged Unsure`;
  const [tone, title] = unsure > 0 ? (["unsure", flagged] as const) : (["great", says.wholeSolution] as const);
  return <EndBar tone={tone} title={title} more={why ?? says.lastStepHint} {...common} />;
});
