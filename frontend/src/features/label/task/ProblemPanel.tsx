import { memo, useId, useState, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { hasCuts, type Command } from "@/rating/keys/keymap";
import { KeyButton } from "@/rating/keys/KeyButton";
import { useKeyOf } from "@/rating/keys/useKeys";
import reading from "@/rating/reading.module.css";
import { instructionOf, wordsOfDomain } from "@/rating/words/profiles";
import classes from "@/rating/TaskScreen.module.css";
import { AnswerText } from "@/shared/text/AnswerText";
import { duration } from "@/shared/words/format";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { OwnProgress } from "@/shared/session/OwnProgress";
import { usePreferences } from "@/shared/session/preferences";
import { messageOf } from "@/shared/page/Loaded";
import { Asked } from "@/shared/trace/Asked";
import { strings } from "@/shared/words/strings";
import { exitsFrom, WAYS_OUT } from "@/shared/words/waysOut";
import { Button } from "@/shared/ui/Button";
import { Answers } from "@/work/questions/Answers";
import type { useAssignment } from "@/work/useAssignment";
import { ToolBar } from "./ToolBar";

const says = strings.label;
const SAVES = {
  saved: "Saved",
  saving: "Saving",
  kept: "Saved in this browser",
  unsaved: "Not saved yet",
  offline: "Offline: kept here, will be saved when you are back",
  waiting: "Kept here, will be saved when the server is back",
  lost: "Not saved yet",
};

export interface PanelProgress {
  says: string;
  percent: number;
  activeMs: number;
}

interface Props {
  assignment: Assignment;
  saveState: ReturnType<typeof useAssignment>["saveState"];
  isReleasing: boolean;
  releaseError: Error | null;
  progress: PanelProgress;
  canUndo: boolean;
  onCommand: (command: Command) => void;
  /** Starts the tour, offered to people who have not seen it. */
  onTour: () => void;
  outline?: ReactNode;
}

/** The panel that stays in view: the problem, the answer on file, how far it is, the tools, the other ways out. */
export const ProblemPanel = memo(function ProblemPanel(props: Props) {
  const { assignment, saveState, isReleasing, releaseError, progress, onCommand, onTour } = props;
  return (
    <aside className={classes.panel}>
      <MarkupOfTexts value={assignment.problem.markup}>
        <Statement assignment={assignment} onCommand={onCommand} />
      </MarkupOfTexts>
      {props.outline}
      <ProgressLine progress={progress} saveState={saveState} />
      <div className={classes.waysOut}>
        <WaysOut assignment={assignment} canUndo={props.canUndo} isReleasing={isReleasing} onCommand={onCommand} />
        <ToolBar
          phase={assignment.phase}
          hasAnswer={assignment.has_answer}
          hasCuts={hasCuts(assignment)}
          onCommand={onCommand}
        />
        {releaseError && (
          <p className="small wrong" role="alert">
            {messageOf(releaseError)}
          </p>
        )}
        <TourInvite onTour={onTour} />
        <Facts phase={assignment.phase.id} />
      </div>
    </aside>
  );
});

const Facts = memo(function Facts({ phase }: { phase: string }) {
  return (
    <div className={reading.progressFacts}>
      <OwnProgress phase={phase} isTold />
      <Answers phase={phase} />
    </div>
  );
});

type WaysOutProps = Pick<Props, "assignment" | "canUndo" | "isReleasing" | "onCommand">;

const WaysOut = memo(function WaysOut({ assignment, canUndo, isReleasing, onCommand }: WaysOutProps) {
  const keyOf = useKeyOf();
  return (
    <div className={reading.waysOut}>
      {(["undo", ...exitsFrom(assignment)] as const).map((command) => {
        const key = keyOf(command);
        const isRelease = command === "skip" || command === "give_back";
        return (
          <button
            key={command}
            type="button"
            aria-keyshortcuts={key || undefined}
            data-wide={command === "undo" || undefined}
            data-quiet={key === "" || undefined}
            disabled={command === "undo" ? !canUndo : isRelease && isReleasing}
            onClick={() => onCommand(command)}
          >
            {command === "undo" ? says.undo : WAYS_OUT[command].label} {key && <kbd aria-hidden>{key}</kbd>}
          </button>
        );
      })}
    </div>
  );
});

/** The problem's statement, foldable to its first line on a phone. */
const Statement = memo(function Statement({ assignment, onCommand }: Pick<Props, "assignment" | "onCommand">) {
  const { phase, problem, round_number, report } = assignment;
  const words = wordsOfDomain(phase);
  const [isFolded, setFolded] = useState(false);
  const box = useId();
  return (
    <div
      className={`${classes.problem ?? ""} ${reading.foldable ?? ""}`}
      data-tour="problem"
      data-folded={isFolded || undefined}
    >
      <div className={classes.problemHead}>
        <h1 className={classes.eyebrow}>{words.problem}</h1>
        <p className={classes.where}>
          {phase.name} · {strings.phases.round(round_number)}
        </p>
        <Button
          size="small"
          look="plain"
          className={reading.fold}
          aria-expanded={!isFolded}
          aria-controls={box}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? "Unfold" : "Fold"}
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by key */}
      <div id={box} className={classes.statement} tabIndex={0} role="group" aria-label={words.problem}>
        <Asked statement={problem.statement} conversation={problem.conversation} />
      </div>
      {problem.reference_answer === "" ? (
        <p className={`tiny dim ${classes.instruction ?? ""} ${classes.wideOnly ?? ""}`}>{instructionOf(phase)}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        <div className={classes.guess} tabIndex={0} role="group" aria-label={words.answer}>
          <span className={classes.eyebrow}>{words.answer}</span>
          <KeyButton
            command="report"
            size="tiny"
            look={report === null ? "quiet" : "tinted"}
            title={report || undefined}
            onClick={() => onCommand("report")}
          >
            {report === null ? "Answer looks wrong" : "Reported"}
          </KeyButton>
          <AnswerText text={problem.reference_answer} />
          <p className={`tiny dim ${classes.wideOnly ?? ""}`}>
            {`The answer on file. It may be wrong. ${instructionOf(phase)}`}
          </p>
        </div>
      )}
    </div>
  );
});

function TourInvite({ onTour }: { onTour: () => void }) {
  const [{ isTourSeen }, change] = usePreferences();
  if (isTourSeen) return null;
  return (
    <div className={reading.invite}>
      <span>New here?</span>
      <Button size="small" look="tinted" onClick={onTour}>
        A short tour
      </Button>
      <Button size="small" look="quiet" onClick={() => change({ isTourSeen: true })}>
        No, thank you
      </Button>
    </div>
  );
}

function ProgressLine({ progress, saveState }: Pick<Props, "progress" | "saveState">) {
  return (
    <div className={classes.progress} data-tour="saved">
      <progress className={reading.bar} max={100} value={progress.percent} aria-label={progress.says} />
      <div className={reading.facts}>
        <span>{progress.says}</span>
        <span title="Active time">{duration(progress.activeMs)}</span>
        <span className={classes.save} data-state={saveState} role="status">
          {SAVES[saveState]}
        </span>
      </div>
    </div>
  );
}
