import { Group, Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import type { TaskCase } from "@/api/types";
import { keyName } from "@/rating/keys/keymap";
import { EXPERTS_ON_MISTAKES, type PageKeys, usePageKeys } from "@/rating/keys/pageKeys";
import { SolutionRater } from "@/rating/SolutionRater";
import { MistakeSaid } from "@/rating/mistakes/MistakeSaid";
import { MistakeLine } from "@/rating/mistakes/MistakeLine";
import { asksAnything } from "@/rating/words/asks";
import { StepCard } from "@/rating/StepCard";
import cards from "@/rating/TaskScreen.module.css";
import type { Mistake } from "@/rating/trajectory/places";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { ShortcutButton } from "@/shared/ui/ShortcutButton";
import { MathText } from "@/shared/text/MathText";
import { Dim, Tiny } from "@/shared/page/Panel";
import { RatingTag, ratingWord } from "@/shared/words/ratings";
import { VERDICTS } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { endOf } from "@/shared/words/waysOut";
import classes from "./adjudication.module.css";
import { type Opinion, ownSteps, ratingsOf, whoOf } from "./ruling";

interface Props {
  task: TaskCase;
  page: PageKeys;
  /** The steps at which people differ. */
  differing: readonly number[];
  /** Called on Enter, once the ruling is complete. */
  onRuled: () => void;
  children: (ratings: number[] | null, mistakes: readonly Mistake[]) => ReactNode;
}

/** The steps to rate for a ruling, beside everybody's ratings. The ruling starts empty. */
export function RatedSteps({ task, page, differing, onRuled, children }: Props) {
  const { steps } = task.solution;
  const rated = useRatedSolution(steps, [], task.rates_all_steps);
  const people = useMemo(
    () =>
      task.labellings.map((_, index) => ({
        command: String(index),
        keys: index < 9 ? [`⇧${index + 1}`] : [],
        says: `Use ${whoOf(task, index)}’s ratings`,
      })),
    [task],
  );
  const take = (command: string) => {
    const labelling = task.labellings[Number(command)];
    if (!labelling) return;
    const said = ownSteps(labelling, steps.length).map((own) => own ?? {});
    rated.dispatch({ type: "take", ratings: ratingsOf(labelling, steps.length), said });
  };
  const asks = asksAnything(task) ? task : undefined;
  const keys = usePageKeys(people, take, asks && EXPERTS_ON_MISTAKES);
  return (
    <>
      <Group gap="xs" my="md">
        <Dim>The ruling starts empty.</Dim>
        {keys.map(({ command, keys: [key], says }) => (
          <ShortcutButton key={command} shortcut={key && keyName(key)} onClick={() => take(command)}>
            {says}
          </ShortcutButton>
        ))}
      </Group>
      <SolutionRater
        rated={rated}
        submit="Rule"
        onSubmit={onRuled}
        page={[...page, ...keys]}
        turns={task.solution.turns}
        asks={asks}
        beside={(step) => <StepOpinions task={task} step={step} differs={differing.includes(step)} />}
      />
      {children(rated.finished, rated.mistakes)}
    </>
  );
}

const ignore = () => undefined;

/** The steps with everybody's ratings, read-only: the case is settled, or people's trajectories differ. */
export function ReadSteps({ task, differing }: Pick<Props, "task" | "differing">) {
  const last = Math.max(-1, ...task.labellings.flatMap(({ completions }) => completions.map(({ step }) => step)));
  const steps = task.phase_kind === "solutions" ? task.solution.steps : Array.from({ length: last + 1 }, () => "");
  return (
    <section aria-label="Steps, with what people said">
      <ol className={cards.steps} data-later="shown">
        {steps.map((text, step) => (
          <StepCard
            key={step}
            index={step}
            name={strings.label.step(step + 1)}
            text={text}
            turn={task.solution.turns?.[step]}
            answer={null}
            place="reached"
            revision={0}
            onSelect={ignore}
          >
            <StepOpinions task={task} step={step} differs={differing.includes(step)} />
          </StepCard>
        ))}
      </ol>
    </section>
  );
}

interface ColumnsProps {
  task: TaskCase;
  /** Columns wide enough for texts. */
  isWide: boolean;
  differs?: boolean;
  of: (labelling: Opinion) => ReactNode;
  experts: ReactNode;
  ruling: ReactNode;
}

/** Everybody's ratings of one thing, side by side. */
function Columns({ task, isWide, differs = false, of, experts, ruling }: ColumnsProps) {
  const columns: [name: string, said: ReactNode][] = task.labellings.map((labelling, index) => [
    whoOf(task, index),
    of(labelling),
  ]);
  if (task.gold) columns.push(["Experts", experts]);
  if (rulingOf(task)) columns.push(["Ruling", ruling]);
  return (
    <>
      {differs && (
        <p className={classes.differs} data-rating="unsure">
          Ratings differ
        </p>
      )}
      <dl className={classes.opinions} data-wide={isWide || undefined}>
        {columns.map(([name, said], index) => (
          <div key={index}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>{said}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The ruling of a settled case; undefined while the case waits. */
function rulingOf({ is_waiting, consensuses }: TaskCase) {
  return is_waiting ? undefined : consensuses.find(({ method }) => method === "adjudicated");
}

/** Everybody's ratings of a step. */
function StepOpinions({ task, step, differs }: { task: TaskCase; step: number; differs: boolean }) {
  const hasTexts = task.phase_kind !== "solutions";
  const hasMore = task.labellings.some(({ completions }) =>
    completions.some(
      (rated) => rated.step === step && (rated.completion > 0 || rated.note || rated.error_start !== null),
    ),
  );
  return (
    <Columns
      task={task}
      isWide={hasTexts || hasMore}
      differs={differs}
      of={(labelling) => <Rated task={task} labelling={labelling} step={step} hasTexts={hasTexts} />}
      experts={
        <div className={classes.rated}>
          <Tag rating={task.gold?.ratings[step]} />
          <MistakeSaid step={step} mistakes={task.gold?.mistakes} />
        </div>
      }
      ruling={<Ruled task={task} step={step} />}
    />
  );
}

/** Everybody's ending of the solution. */
export function Endings({ task }: { task: TaskCase }) {
  return (
    <section className={classes.endings}>
      <h2 className="title-small">Ending</h2>
      <Columns
        task={task}
        isWide
        of={(labelling) => <Ending labelling={labelling} />}
        experts={<Text size="sm">{task.gold?.rationale || "–"}</Text>}
        ruling={<Result said={rulingOf(task)?.result ?? ""} otherwise="–" />}
      />
    </section>
  );
}

function Tag({ rating, isFlagged = false }: { rating: number | null | undefined; isFlagged?: boolean }) {
  const word = ratingWord(rating ?? null, isFlagged);
  return word ? <RatingTag word={word} /> : <Tiny>not rated</Tiny>;
}

function Ruled({ task, step }: { task: TaskCase; step: number }) {
  const ruling = rulingOf(task);
  const [start, end] = ruling?.error_words?.[step] ?? [];
  const said = {
    error_kind: ruling?.error_kinds?.[step] ?? "",
    error_start: start ?? null,
    error_end: end ?? null,
    root_cause: ruling?.root_causes?.[step] ?? null,
  };
  return (
    <div className={classes.rated}>
      <Tag rating={ruling?.ratings[step]} />
      <MistakeLine kinds={task.error_kinds} text={task.solution.steps[step] ?? ""} said={said} />
    </div>
  );
}

interface RatedProps {
  task: TaskCase;
  labelling: Opinion;
  step: number;
  hasTexts: boolean;
}

function Rated({ task, labelling, step, hasTexts }: RatedProps) {
  const rated = labelling.completions.filter((completion) => completion.step === step);
  if (rated.length === 0) return <Tag rating={null} />;
  return rated.map(({ completion, text, rating, is_flagged, is_chosen, note, ...said }) => (
    <div key={completion} className={classes.rated}>
      {(hasTexts || completion > 0) && <MathText text={text} />}
      <Tag rating={rating} isFlagged={is_flagged} />
      {hasTexts && is_chosen && <Tiny>goes on</Tiny>}
      <MistakeLine kinds={task.error_kinds} text={text} said={said} />
      {note && <bdi>{note}</bdi>}
    </div>
  ));
}

function Result({ said, otherwise }: { said: Opinion["result"]; otherwise?: string }) {
  return said ? <span>{`Final result: ${VERDICTS[said]}`}</span> : otherwise;
}

function Ending({ labelling }: { labelling: Opinion }) {
  return (
    <div className={classes.rated}>
      <b>{endOf(labelling.finish_reason)}</b>
      <Result said={labelling.result} />
      {labelling.finish_note && <bdi>{labelling.finish_note}</bdi>}
      {labelling.overruled_by && <Tiny>overruled</Tiny>}
      {labelling.critiques.map(({ text, is_human, rating }, index) => (
        <div key={index} className={classes.rated}>
          <Tiny>{is_human ? "Own critique" : "Critique"}</Tiny>
          <MathText text={text} />
          {rating != null && <Tag rating={rating} />}
        </div>
      ))}
    </div>
  );
}
