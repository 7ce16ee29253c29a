import { lazily } from "@/shared/page/Contained";
import { strings } from "@/shared/words/strings";
import { Button, ButtonLink } from "@/shared/ui/Button";
import classes from "../LabelPage.module.css";

const AfterWork = lazily(() => import("./AfterWork"));

const ENDINGS = {
  no_open_round: {
    title: "No round is open",
    text: "There is nothing to label in this phase until the next round starts. Your work so far is safe.",
  },
  nothing_left: {
    title: "All done here",
    text: "There is no task left for you in this round. Thank you. More may come when a new round opens.",
  },
  not_a_member: { title: "You are not in this phase", text: "Ask an admin to add you to it." },
  screening_failed: {
    title: "The screening is over",
    text: "Your agreement with the experts was below the pass mark. Talk to an admin about another try.",
  },
  paused: {
    title: "Your work is paused",
    text: "Staff want to talk to you before you go on. Your work so far is safe.",
  },
  phase_not_running: {
    title: "This phase is not running",
    text: "It has not started yet, or staff have stopped it for now. Your work so far is safe.",
  },
  lost: {
    title: "This task is no longer open here",
    text: "It was given back after a long pause, submitted already, or opened in another tab. What you had saved is kept.",
  },
  failed: { title: "The task could not be loaded", text: "" },
  elsewhere: {
    title: "Open in another tab",
    text: "You are labelling this phase in another tab. One tab at a time, so that they do not get in each other’s way.",
  },
  offline: { title: "You are offline", text: "" },
  waiting: { title: "Waiting for the server", text: "" },
};
const ON: Partial<Record<Props["kind"], string>> = { lost: "Carry on", elsewhere: "Use here" };

interface Props {
  kind: keyof typeof ENDINGS;
  detail?: string;
  /** The phase with nothing left to label. */
  phase?: string;
  onAgain?: () => void;
}

/** Says why there is no task on the screen, and how to go on. Not loaded lazily: it may be needed offline. */
export function Ending({ kind, detail = "", phase, onAgain }: Props) {
  const { title, text } = ENDINGS[kind];
  return (
    <div className={`middle ${classes.ending ?? ""}`}>
      <div role="status" style={{ display: "contents" }}>
        <h1 className="title-large">{title}</h1>
        <p className="dim" style={{ maxWidth: "30rem" }}>
          {detail || text}
        </p>
      </div>
      <div className="row">
        {onAgain && (
          <Button onClick={onAgain} autoFocus>
            {ON[kind] ?? "Check again"}
          </Button>
        )}
        <ButtonLink href="/" look="plain">
          {strings.label.backToPhases}
        </ButtonLink>
      </div>
      {phase && <AfterWork phase={phase} />}
    </div>
  );
}
