import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Assignment, Submitted } from "@/api/types";
import { RatedBy } from "@/rating/RatedBy";
import { MistakeSaid } from "@/rating/mistakes/MistakeSaid";
import { useKeyOf, useKeys } from "@/rating/keys/useKeys";
import { percent } from "@/shared/words/format";
import { afterPaint } from "@/shared/page/afterPaint";
import { keepsFocus } from "@/shared/page/keyboard";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { Asked } from "@/shared/trace/Asked";
import { RestOfParts } from "@/shared/trace/rest";
import { StepShown } from "@/shared/trace/StepShown";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { assignmentQuery, loadPartOf } from "@/work/claim";
import classes from "../LabelPage.module.css";
import ReportDialog from "../asking/ReportDialog";
import type { Outcome } from "./useFlow";

const ENDS = {
  passed: { title: "Screening passed", text: "Thank you. From now on your ratings count." },
  again: {
    title: "Not passed yet",
    text: "Your agreement with the experts was below the pass mark. You have another attempt: the same tasks come again.",
  },
  failed: { title: "The screening is over", text: "Your agreement with the experts was below the pass mark." },
};
type Feedback = NonNullable<Submitted["feedback"]>;
type Screening = NonNullable<Submitted["screening"]>;

/** After a screening task: one's own ratings beside the experts', and how the screening stands. */
export default function ScreeningResult({ outcome, onGoOn }: { outcome: Outcome; onGoOn: () => void }) {
  const keyOf = useKeyOf();
  const { record, reply } = outcome;
  const { screening, feedback } = reply;
  const end = screening ? endOf(screening) : null;
  useKeys((command) => {
    if (command === "submit") onGoOn();
  });
  return (
    <section className={classes.result} aria-labelledby="screening-result">
      <div className={classes.resultHead}>
        <h1 className="title" id="screening-result">
          {end?.title ?? "Screening"}
        </h1>
        {screening && <p className="dim">{`Task ${screening.done} of ${screening.total}`}</p>}
        {screening?.agreement != null && (
          <p className="dim">{`${percent(screening.agreement)} agreement overall; the pass mark is ${percent(screening.pass_mark)}`}</p>
        )}
      </div>
      {end && <p className="plain">{end.text}</p>}
      {feedback && <Comparison id={record.assignment} feedback={feedback} />}
      <div className="row row-end">
        <Button size="large" autoFocus onClick={onGoOn}>
          Continue <kbd>{keyOf("submit")}</kbd>
        </Button>
      </div>
    </section>
  );
}

function endOf({ state, done, total }: Screening) {
  if (state !== "pending") return ENDS[state];
  return done === total ? ENDS.again : null;
}

function Comparison({ id, feedback }: { id: string; feedback: Feedback }) {
  const assignment = useQuery(assignmentQuery(id));
  const loadPart = useMemo(() => loadPartOf(id), [id]);
  const { gold, given, agreement, rationale } = feedback;
  const length = Math.max(gold.length, given.length);
  const differs = (step: number) => gold[step] !== given[step];
  const difference = Array.from({ length }, (_, step) => step).find(differs);
  return (
    <>
      <p className={classes.verdict} role="status">
        {difference === undefined
          ? "You rated every step as the experts did."
          : `Step ${difference + 1} is where you first differ from the experts.`}{" "}
        {`${percent(agreement)} agreement`}
      </p>
      {rationale && (
        <div>
          <h2 className="heading">Why</h2>
          <MathText text={rationale} isProse />
        </div>
      )}
      <Loaded query={assignment}>
        {(task) => (
          <RestOfParts value={loadPart}>
            <div className={classes.beside}>
              <section aria-label={strings.label.problem}>
                <Asked {...task.problem} />
              </section>
              <ol className={classes.compared}>
                {task.solution.steps.slice(0, length).map((text, step) => (
                  <ComparedStep key={step} differs={differs(step)} isFirst={step === difference}>
                    <p className={classes.step}>{strings.label.step(step + 1)}</p>
                    <StepShown
                      text={text}
                      turn={task.solution.turns?.[step]}
                      step={step}
                      markup={task.solution.markup}
                    />
                    <div className={classes.rated}>
                      <RatedBy who="You" rating={given[step]}>
                        <MistakeSaid step={step} mistakes={feedback.given_mistakes} />
                      </RatedBy>
                      <RatedBy who="Experts" rating={gold[step]}>
                        <MistakeSaid step={step} mistakes={feedback.gold_mistakes} />
                      </RatedBy>
                    </div>
                  </ComparedStep>
                ))}
              </ol>
            </div>
            {difference !== undefined && <Dispute task={task} />}
          </RestOfParts>
        )}
      </Loaded>
    </>
  );
}

interface ComparedStepProps {
  differs: boolean;
  /** The first step that differs: it is scrolled into view and has the keyboard. */
  isFirst: boolean;
  children: ReactNode;
}

function ComparedStep({ differs, isFirst, children }: ComparedStepProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const shown = item.current;
    if (!isFirst || !shown) return undefined;
    // Formulas are set, and broken into lines, after the step is there: it stays in view until somebody moves on.
    const growth = new ResizeObserver(() => shown.scrollIntoView({ block: "nearest" }));
    const ends = new AbortController();
    for (const act of ["wheel", "pointerdown", "keydown"]) {
      window.addEventListener(act, () => growth.disconnect(), { signal: ends.signal, once: true });
    }
    const focusing = afterPaint(() => {
      if (!keepsFocus()) shown.focus({ preventScroll: true });
      growth.observe(shown);
    });
    return () => {
      focusing();
      growth.disconnect();
      ends.abort();
    };
  }, [isFirst]);
  return (
    <li ref={item} data-differs={differs || undefined} tabIndex={isFirst ? -1 : undefined}>
      {children}
    </li>
  );
}

/** Reports that the experts' labels look wrong. */
function Dispute({ task }: { task: Assignment }) {
  const [state, setState] = useState<"" | "open" | "sent">("");
  return (
    <div>
      {state === "sent" ? (
        <p className="small" role="status">
          Reported. An admin will look into it.
        </p>
      ) : (
        <Button size="small" look="quiet" onClick={() => setState("open")}>
          The experts look wrong
        </Button>
      )}
      {state === "open" && (
        <ReportDialog
          assignment={task}
          kind="gold"
          onClose={() => setState((now) => (now === "open" ? "" : now))}
          onSent={() => setState("sent")}
        />
      )}
    </div>
  );
}
