import { useEffect, type ReactNode } from "react";
import { KeyButton } from "@/rating/keys/KeyButton";
import { BOX_HINT, saveOrLeave } from "@/rating/keys/saveOrLeave";
import { StepCard } from "@/rating/StepCard";
import steps from "@/rating/TaskScreen.module.css";
import type { OfferKind, Part } from "@/rating/trajectory/places";
import { placeOf } from "@/rating/trajectory/trajectory";
import { MathText } from "@/shared/text/MathText";
import { RATED } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { useOffer } from "@/work/useOffer";
import classes from "./BesidePanels.module.css";
import { CandidateList } from "./CandidateList";
import type { Desk } from "../task/useDesk";

const OFFERS = {
  completions: {
    titleOf: (bad: number) => `Alternatives for step ${bad + 1}`,
    why: "Other ways to go on at this place. Rate each as you rate a step.",
    pending: "Alternatives are being written …",
    none: "There are no alternatives for this step.",
  },
  critiques: {
    titleOf: () => "Critiques of the mistake",
    why: "Does each one name the mistake, and say nothing false? Rate each, or write your own.",
    pending: "Critiques are being written …",
    none: "No critique is on offer. You may write one.",
  },
};

interface Props {
  desk: Desk;
  /** The first bad step. */
  bad: number;
}

/** The phase's questions beside the first Bad step, in the order in which the keys go through them. */
export default function BesidePanels(props: Props) {
  const { asked } = props.desk.task.trajectory;
  return (
    <li className={classes.beside}>
      {asked.completions && <OfferPanel {...props} kind="completions" />}
      {asked.critiques && (
        <OfferPanel {...props} kind="critiques">
          <OwnCritique {...props} />
        </OfferPanel>
      )}
      {asked.progress && <ProgressPanel {...props} />}
    </li>
  );
}

interface OfferPanelProps extends Props {
  kind: OfferKind;
  children?: ReactNode;
}

/** A panel of completions or critiques to rate, which adds those on offer to the labelling as they come. */
function OfferPanel({ desk, bad, kind, children }: OfferPanelProps) {
  const { assignment, task } = desk;
  const { trajectory, dispatch } = task;
  const says = OFFERS[kind];
  const title = says.titleOf(bad);
  const isCritique = kind === "critiques";
  const end = isCritique ? bad + 1 : bad;
  const { steps: texts } = assignment.solution;
  const place = placeOf(trajectory, bad);
  const isWanted = !place.skipped.includes(kind);
  const offer = useOffer(assignment.id, isCritique ? "critique" : "step", texts.slice(0, end), isWanted);
  const { status, completions } = offer;
  useEffect(() => {
    if (status === "idle") return;
    dispatch({ type: "offered", kind, path: texts.slice(0, end), completions, isPending: status === "pending" });
  }, [status, completions, texts, end, kind, dispatch]);

  const all = isCritique ? place.critiques : place.offered;
  const parts = all.map((_, index): Part => ({ kind, index })).slice(isCritique ? 0 : 1);
  const isPending = status === "pending";
  const isFailed = status === "failed";
  return (
    <section className={classes.panel} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <p className="small dim">{says.why}</p>
      <CandidateList desk={desk} label={title} step={bad} parts={parts} words={isCritique ? RATED : undefined} />
      {(isPending || isFailed || parts.length === 0) && (
        <div className={classes.status} role="status">
          {isPending && <Spinner size="small" isSilent />}
          <span>
            {isPending ? says.pending : isFailed ? `The generator did not answer. ${offer.detail}` : says.none}
          </span>
          {isPending && (
            <Button size="small" look="plain" onClick={() => dispatch({ type: "skip", kind })}>
              Continue without
            </Button>
          )}
          {isFailed && (
            <Button size="small" look="plain" onClick={offer.again}>
              Ask again
            </Button>
          )}
        </div>
      )}
      {children}
    </section>
  );
}

/** The annotator's own critique; a text box only while being written, so that digits answer the next question. */
function OwnCritique({ desk: { task, isWriting, onWriting }, bad }: Props) {
  const text = placeOf(task.trajectory, bad).ownCritique;
  const leave = () => onWriting(false);
  if (!isWriting) {
    return (
      <>
        {text !== "" && (
          <div className={classes.preview}>
            <MathText text={text} />
          </div>
        )}
        <KeyButton command="write" size="small" look="plain" className={classes.write} onClick={() => onWriting(true)}>
          {text === "" ? "Write your own critique" : "Change your critique"}
        </KeyButton>
      </>
    );
  }
  return (
    <>
      <TextArea
        className={classes.written}
        rows={2}
        autoFocus
        label="Your own critique"
        description={BOX_HINT}
        placeholder="Say what is wrong with this step, and why."
        value={text}
        onChange={(event) => task.dispatch({ type: "critique", text: event.currentTarget.value })}
        onBlur={leave}
        onKeyDown={(event) => saveOrLeave(event, leave, leave)}
      />
      {/[$\\]/.test(text) && (
        <div className={classes.preview}>
          <MathText text={text} />
        </div>
      )}
    </>
  );
}

/** The question about progress; its answers are in the dock. */
function ProgressPanel({ desk: { task }, bad }: Props) {
  const { trajectory, dispatch } = task;
  const { progress } = placeOf(trajectory, bad);
  const isCurrent = trajectory.focus.kind === "progress";
  return (
    <ol className={steps.steps}>
      <StepCard
        index={0}
        name={strings.label.beside.progress}
        text={progress === null ? "" : strings.label.beside.progressOf[progress]}
        answer={null}
        place={isCurrent ? "current" : "reached"}
        revision={isCurrent && progress}
        onSelect={() => dispatch({ type: "part", part: { kind: "progress", index: 0 } })}
      />
    </ol>
  );
}
