import { useEffect, useRef, type ReactNode } from "react";
import type { Assignment } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { RATED, WORDS, type RatingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { PROGRESS_OF, type OfferKind, type Part } from "./beside";
import classes from "./BesidePanels.module.css";
import { CompletionList } from "./CompletionList";
import { besideBad } from "./labelling";
import { useKeyOf } from "./useKeys";
import { useOffer, type Offered } from "./useOffer";
import type { TaskState } from "./useTask";

const says = strings.label.beside;

interface Props {
  assignment: Assignment;
  task: TaskState;
  /** The first bad step. */
  bad: number;
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
}

/** What the phase asks for beside the first bad step, in the order in which the keys go through it. */
export function BesidePanels(props: Props) {
  const { asked } = props.task.labelling;
  return (
    <li className={classes.beside}>
      {asked.alternatives && (
        <OfferPanel
          {...props}
          kind="alternatives"
          title={says.alternatives(props.bad + 1)}
          why={says.alternativesWhy}
        />
      )}
      {asked.critiques && (
        <OfferPanel {...props} kind="critiques" title={says.critiques} why={says.critiquesWhy}>
          <OwnCritique {...props} />
        </OfferPanel>
      )}
      {asked.progress && <ProgressPanel {...props} />}
    </li>
  );
}

/** Brings what is on offer into the labelling, as it comes. */
function useOffered({ assignment, task, bad }: Props, kind: OfferKind): Offered {
  const {
    labelling: { beside },
    dispatch,
  } = task;
  const path = assignment.solution.steps.slice(0, kind === "critiques" ? bad + 1 : bad);
  const isWanted = !beside[bad]?.skipped.includes(kind);
  const offer = useOffer(assignment.id, kind === "critiques" ? "critique" : "step", path, isWanted);
  const { status, completions } = offer;
  useEffect(() => {
    if (status === "idle") return;
    dispatch({
      type: "offer",
      step: bad,
      kind,
      texts: completions.map(({ text }) => text),
      isPending: status === "pending",
    });
  }, [status, completions, bad, kind, dispatch]);
  return offer;
}

interface OfferPanelProps extends Props {
  kind: OfferKind;
  title: string;
  why: string;
  children?: ReactNode;
}

function OfferPanel({ kind, title, why, children, ...props }: OfferPanelProps) {
  const { labelling, dispatch } = props.task;
  const offer = useOffered(props, kind);
  const items = besideBad(labelling)[kind];
  const go = (index: number, answer?: RatingWord) => {
    dispatch({ type: "part", part: { kind, index } });
    if (answer) dispatch({ type: "answer", answer });
  };
  return (
    <section className={classes.panel} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <p className="small dim">{why}</p>
      <CompletionList
        items={items}
        focus={focusOn(kind, labelling.part)}
        label={title}
        nameOf={kind === "critiques" ? says.critique : says.alternative}
        answers={kind === "critiques" ? RATED : undefined}
        onAnswer={go}
        onFocus={go}
      />
      <OfferStatus
        kind={kind}
        offer={offer}
        isEmpty={items.length === 0}
        onSkip={() => dispatch({ type: "skip", kind })}
      />
      {children}
    </section>
  );
}

function focusOn(kind: OfferKind, part: Part | null): number | null {
  return part?.kind === kind ? part.index : null;
}

interface OfferStatusProps {
  kind: OfferKind;
  offer: Offered;
  isEmpty: boolean;
  onSkip: () => void;
}

function OfferStatus({ kind, offer, isEmpty, onSkip }: OfferStatusProps) {
  if (offer.status === "pending") {
    return (
      <div className={classes.status} role="status">
        <Spinner size="small" isSilent />
        <span>{says.pending[kind]}</span>
        <Button size="small" look="plain" onClick={onSkip}>
          {says.skip}
        </Button>
      </div>
    );
  }
  if (offer.status === "failed") {
    return (
      <div className={classes.status} role="status">
        <span>
          {says.failed} {offer.detail}
        </span>
        <Button size="small" look="plain" onClick={offer.again}>
          {says.again}
        </Button>
      </div>
    );
  }
  return isEmpty ? (
    <div className={classes.status} role="status">
      {says.none[kind]}
    </div>
  ) : null;
}

function OwnCritique({ task, isWriting, onWriting }: Props) {
  const keyOf = useKeyOf();
  const text = besideBad(task.labelling).ownCritique;
  if (!isWriting && text === "") {
    return (
      <Button size="small" look="plain" className={classes.write} onClick={() => onWriting(true)}>
        {says.write} <kbd>{keyOf("write")}</kbd>
      </Button>
    );
  }
  return (
    <>
      <TextArea
        className={classes.written}
        rows={2}
        autoFocus={isWriting}
        label={says.ownCritique}
        placeholder={says.ownCritiquePlaceholder}
        value={text}
        onChange={(event) => task.dispatch({ type: "critique", text: event.currentTarget.value })}
        onFocus={() => onWriting(true)}
        onBlur={() => onWriting(false)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {/[$\\]/.test(text) && (
        <div className={classes.preview}>
          <MathText text={text} />
        </div>
      )}
    </>
  );
}

function ProgressPanel({ task }: Props) {
  const keyOf = useKeyOf();
  const group = useRef<HTMLDivElement>(null);
  const {
    labelling: { part },
    labelling,
    dispatch,
  } = task;
  const isCurrent = part?.kind === "progress";
  const given = besideBad(labelling).progress;
  useEffect(() => {
    if (!isCurrent || document.activeElement?.closest("textarea, dialog, [role=dialog]") != null) return;
    group.current?.focus({ preventScroll: true });
    group.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [isCurrent, given]);
  return (
    <section className={classes.panel} aria-label={says.progress}>
      <h2 className={classes.title}>{says.progress}</h2>
      <div
        ref={group}
        className={classes.choices}
        role="group"
        tabIndex={-1}
        aria-label={says.progress}
        aria-current={isCurrent || undefined}
      >
        {WORDS.map((answer) => (
          <button
            key={answer}
            type="button"
            className={classes.choice}
            aria-pressed={given === PROGRESS_OF[answer]}
            onClick={() => {
              dispatch({ type: "part", part: { kind: "progress", index: 0 } });
              dispatch({ type: "answer", answer });
            }}
          >
            {says.progressOf[PROGRESS_OF[answer]]} <kbd aria-hidden>{keyOf(answer)}</kbd>
          </button>
        ))}
      </div>
    </section>
  );
}
