import { useState, type ReactNode } from "react";
import type { Turn } from "@/api/types";
import { copyText } from "@/shared/ui/clipboard";
import { lazyDialog } from "@/shared/page/Contained";
import { RATED } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { useNewest } from "@/shared/ui/useNewest";
import { KeyButton } from "./keys/KeyButton";
import type { Command } from "./keys/keymap";
import { EXPERTS, EXPERTS_ON_MISTAKES, type PageKeys } from "./keys/pageKeys";
import { useBindings, useKeyOf, useKeys } from "./keys/useKeys";
import MistakePanel from "./mistakes/MistakePanel";
import { type Explained, useKindKeys } from "./mistakes/useKindKeys";
import type { AsksOfMistakes } from "./words/asks";
import { ratingNameOf, takenBack } from "./words/names";
import { RatingDock } from "./RatingDock";
import own from "./SolutionRater.module.css";
import { SourceButton } from "./SourceButton";
import { StepList } from "./StepList";
import classes from "./TaskScreen.module.css";
import { FIRST } from "./trajectory/places";
import { firstBad, frontier, placeOf, ratingOf } from "./trajectory/trajectory";
import type { RatedSolution } from "./useRatedSolution";

const HelpDialog = lazyDialog(() => import("./HelpDialog"));

const says = strings.label;

interface Props {
  rated: RatedSolution;
  /** The label of the submit button, which Enter presses once the ratings are complete. */
  submit: string;
  onSubmit: () => void;
  isBusy?: boolean;
  /** The page's own keys, for the help. */
  page: PageKeys;
  /** The parts of each step, for a trace. */
  turns?: readonly Turn[] | null | undefined;
  /** The questions about a Bad step; its kind may be left open. */
  asks?: AsksOfMistakes | undefined;
  /** Other people’s words on a step. */
  beside?: (step: number) => ReactNode;
}

/** The steps of a solution, rated by an expert: annotators' cards, keys, undo and help. */
export function SolutionRater({ rated, submit, onSubmit, isBusy = false, page, turns, asks, beside }: Props) {
  const { trajectory, dispatch, finished } = rated;
  const { at } = trajectory;
  const experts = asks ? EXPERTS_ON_MISTAKES : EXPERTS;
  const bindings = useBindings().filter(({ command }) => experts.includes(command));
  const keyOf = useKeyOf();
  const [isComparing, setComparing] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const [explained, setExplained] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const name = says.step(at + 1);
  const text = placeOf(trajectory).offered[0]?.text ?? "";

  const rate = (answer: (typeof RATED)[number]) => () => {
    dispatch({ type: "answer", answer });
    const isAsked = answer === "bad" && asks && asks.error_kinds.length > 0;
    if (isAsked) dispatch({ type: "focus", step: at });
    setExplained(isAsked ? at : null);
    setSaid(says.rated(name, strings.ratings[answer]));
  };
  const commands: Partial<Record<Command, () => void>> = {
    great: rate("great"),
    okay: rate("okay"),
    bad: rate("bad"),
    next: () => dispatch({ type: "move", by: 1 }),
    previous: () => dispatch({ type: "move", by: -1 }),
    undo: () => {
      setSaid(takenBack(trajectory));
      dispatch({ type: "undo" });
    },
    submit: () => {
      setExplained(null);
      if (finished && !isBusy) onSubmit();
    },
    mistake: () => setExplained(explained === at ? null : at),
    compare: () => setComparing(!isComparing),
    copy: () => void copyText(text).then((isCopied) => setSaid(isCopied ? says.copied : says.notCopied)),
    help: () => setHelping(!isHelping),
  };
  const run = useNewest((command: Command) => {
    setSaid("");
    commands[command]?.();
  });
  useKeys(run, bindings);
  const onExplained = (step: number) => {
    setExplained(null);
    const isOpen = placeOf(trajectory, step).offered[0]?.mistake.kind === "";
    // Moves on to the next step to rate, as choosing a kind does.
    if (isOpen && asks && asks.error_kinds.length > 0) dispatch({ type: "focus", step: trajectory.places.length });
  };
  const mistakeOf = (step: number) =>
    asks && (
      <MistakeOfStep
        asks={asks}
        trajectory={trajectory}
        spot={{ step, part: FIRST }}
        dispatch={dispatch}
        isOpen={explained === step && at === step}
        onOpen={() => setExplained(step)}
        onClose={() => onExplained(step)}
        isOptional
      />
    );

  return (
    <section className={own.rater} aria-label={says.solution}>
      <StepList
        trajectory={trajectory}
        dispatch={dispatch}
        revision={rated.revision}
        isComparing={isComparing}
        turns={turns}
        inside={(step, answer) => (
          <>
            {answer === "bad" && mistakeOf(step)}
            {beside?.(step)}
          </>
        )}
      />
      <div className={own.docks}>
        <RatingDock
          name={name}
          label={ratingNameOf(trajectory)}
          given={ratingOf(trajectory, at)}
          isComparing={isComparing}
          onCommand={run}
          words={RATED}
          hasNote={false}
        />
        <div className={own.end}>
          <p className={own.state} role="status">
            {stateOf(rated)}
          </p>
          <KeyButton command="undo" size="small" look="plain" disabled={!rated.canUndo} onClick={() => run("undo")}>
            {says.undo}
          </KeyButton>
          <SourceButton />
          <KeyButton command="help" size="small" look="plain" onClick={() => run("help")}>
            {says.toolNames.help}
          </KeyButton>
          <Button disabled={finished === null} isBusy={isBusy} onClick={() => run("submit")}>
            {submit}{" "}
            <kbd className={classes.key} aria-hidden>
              {keyOf("submit")}
            </kbd>
          </Button>
        </div>
      </div>
      <div className="unseen" role="status">
        {said}
      </div>
      {isHelping && <HelpDialog bindings={bindings} words={RATED} page={page} onClose={() => setHelping(false)} />}
    </section>
  );
}

function stateOf({ trajectory, finished }: RatedSolution): string {
  const bad = firstBad(trajectory);
  if (bad !== null && !trajectory.asked.allSteps) return `${says.foundError(bad + 1)}. ${says.foundErrorMore}`;
  if (bad !== null && finished) return says.foundError(bad + 1);
  return finished ? says.wholeSolution : says.progress(frontier(trajectory), trajectory.places.length);
}

function MistakeOfStep(props: Explained & { onOpen: () => void }) {
  return <MistakePanel {...props} {...useKindKeys(props)} />;
}
