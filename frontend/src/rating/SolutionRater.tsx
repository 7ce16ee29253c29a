import { useState, type ReactNode } from "react";
import { copyText } from "@/shared/clipboard";
import { lazily } from "@/shared/Contained";
import { RATED } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { useNewest } from "@/shared/useNewest";
import type { Command } from "./keys/keymap";
import { EXPERTS, type PageKeys } from "./keys/pageKeys";
import { useBindings, useKeyOf, useKeys } from "./keys/useKeys";
import type { Compared } from "./names";
import { RatingDock } from "./RatingDock";
import own from "./SolutionRater.module.css";
import { StepCard, type StepPlace } from "./StepCard";
import classes from "./TaskScreen.module.css";
import type { RatedSolution } from "./useRatedSolution";

const HelpDialog = lazily(() => import("./keys/HelpDialog"));

const says = strings.label;

interface Props {
  steps: readonly string[];
  rated: RatedSolution;
  /** The act that Enter carries out once the ratings are complete, and what its button says. */
  submit: string;
  onSubmit: () => void;
  isBusy?: boolean;
  /** The page's own keys, for the help. */
  page: PageKeys;
  /** What others said about a step. */
  beside?: (step: number) => ReactNode;
}

/** The steps of a solution, rated by an expert: annotators' cards, keys, undo and help. */
export function SolutionRater(props: Props) {
  const { steps, rated, submit, onSubmit, isBusy = false, page, beside } = props;
  const { dispatch, focus, finished } = rated;
  const bindings = useBindings().filter(({ command }) => EXPERTS.includes(command));
  const keyOf = useKeyOf();
  const [isComparing, setComparing] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const [said, setSaid] = useState("");

  const run = useNewest((command: Command) => {
    setSaid("");
    switch (command) {
      case "great":
      case "okay":
      case "bad":
        dispatch({ type: "answer", answer: command });
        setSaid(says.rated(says.step(focus + 1), strings.ratings[command]));
        break;
      case "next":
      case "previous":
        dispatch({ type: "move", by: command === "next" ? 1 : -1 });
        break;
      case "undo":
        dispatch({ type: "undo" });
        break;
      case "submit":
        if (finished && !isBusy) onSubmit();
        break;
      case "compare":
        setComparing(!isComparing);
        break;
      case "copy":
        void copyText(steps[focus] ?? "").then((isCopied) => setSaid(isCopied ? says.copied : says.notCopied));
        break;
      case "help":
        setHelping(!isHelping);
        break;
      default:
    }
  });
  const onSelect = useNewest((step: number) => dispatch({ type: "focus", step }));
  useKeys(run, bindings);

  return (
    <section className={own.rater} aria-label={says.solution}>
      <ol className={classes.steps} data-later="shown">
        {steps.map((text, step) => (
          <StepCard
            key={step}
            index={step}
            name={says.step(step + 1)}
            text={text}
            answer={rated.answers[step] ?? null}
            place={placeOf(step, rated)}
            revision={step === focus && rated.revision}
            against={isComparing && step === focus ? before(steps, step) : null}
            onSelect={onSelect}
          >
            {beside?.(step)}
          </StepCard>
        ))}
      </ol>
      <div className={own.docks}>
        <RatingDock
          name={says.step(focus + 1)}
          label={says.rateStep(focus + 1)}
          given={rated.answers[focus] ?? null}
          isComparing={isComparing}
          onCommand={run}
          words={RATED}
          hasNote={false}
        />
        <div className={own.end}>
          <p className={own.state} role="status">
            {stateOf(rated)}
          </p>
          <Button size="small" look="plain" disabled={!rated.canUndo} onClick={() => run("undo")}>
            {says.undo} <kbd aria-hidden>{keyOf("undo")}</kbd>
          </Button>
          <Button size="small" look="plain" onClick={() => run("help")}>
            {says.toolNames.help} <kbd aria-hidden>{keyOf("help")}</kbd>
          </Button>
          <Button disabled={finished === null} isBusy={isBusy} onClick={onSubmit}>
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
      {isHelping && <HelpDialog commands={EXPERTS} words={RATED} page={page} onClose={() => setHelping(false)} />}
    </section>
  );
}

function before(steps: readonly string[], step: number): Compared | null {
  const text = steps[step - 1];
  return text === undefined ? null : { name: says.step(step), text };
}

function placeOf(step: number, { focus, end, bad }: RatedSolution): StepPlace {
  if (step === focus) return "current";
  if (step <= end) return "reached";
  return bad === null ? "ahead" : "unlabelled";
}

function stateOf({ answers, bad, finished, end }: RatedSolution): string {
  if (bad !== null) return `${says.foundError(bad + 1)}. ${says.foundErrorMore}`;
  return finished ? says.wholeSolution : says.progress(end, answers.length);
}
