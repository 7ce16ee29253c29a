import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { TaskCase } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { Quiet } from "@/shared/Quiet";
import { RatingTag, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./adjudication.module.css";
import { whoOf, type Opinion } from "./ruling";

interface Props {
  task: TaskCase;
  /** A column each, as wide as texts need it. */
  isWide: boolean;
  of: (labelling: Opinion) => ReactNode;
  experts: ReactNode;
  ruling: ReactNode;
}

/** What everybody said about one thing, side by side. */
function Columns({ task, isWide, of, experts, ruling }: Props) {
  const columns: [name: string, said: ReactNode][] = task.labellings.map((labelling, index) => [
    whoOf(task, index),
    of(labelling),
  ]);
  if (task.gold) columns.push(["Experts", experts]);
  if (rulingOf(task)) columns.push(["Ruling", ruling]);
  return (
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
  );
}

/** The one that stands, where none is to be made. */
function rulingOf({ is_waiting, consensuses }: TaskCase) {
  return is_waiting ? undefined : consensuses.find(({ method }) => method === "adjudicated")?.ratings;
}

/** How everybody rated a step. */
export function StepOpinions({ task, step }: { task: TaskCase; step: number }) {
  const hasTexts = task.phase_kind !== "solutions";
  return (
    <Columns
      task={task}
      isWide={hasTexts}
      of={(labelling) => <Rated labelling={labelling} step={step} hasTexts={hasTexts} />}
      experts={<Tag rating={task.gold?.ratings[step]} />}
      ruling={<Tag rating={rulingOf(task)?.[step]} />}
    />
  );
}

/** How everybody ended. */
export function Endings({ task }: { task: TaskCase }) {
  return (
    <section className={classes.endings}>
      <h2 className="title-small">Ending</h2>
      <Columns
        task={task}
        isWide
        of={(labelling) => <Ending labelling={labelling} />}
        experts={<Text size="sm">{task.gold?.rationale || "–"}</Text>}
        ruling="–"
      />
    </section>
  );
}

function Tag({ rating, isFlagged = false }: { rating: number | null | undefined; isFlagged?: boolean }) {
  const word = ratingWord(rating ?? null, isFlagged);
  return word ? <RatingTag word={word} /> : <Quiet size="xs">not rated</Quiet>;
}

function Rated({ labelling, step, hasTexts }: { labelling: Opinion; step: number; hasTexts: boolean }) {
  const rated = labelling.completions.filter((completion) => completion.step === step);
  if (rated.length === 0) return <Tag rating={null} />;
  return rated.map(({ completion, text, rating, is_flagged, is_chosen, note }) => (
    <div key={completion} className={classes.rated}>
      {(hasTexts || completion > 0) && <MathText text={text} />}
      <Tag rating={rating} isFlagged={is_flagged} />
      {hasTexts && is_chosen && <Quiet size="xs">goes on</Quiet>}
      {note && <bdi>{note}</bdi>}
    </div>
  ));
}

function Ending({ labelling }: { labelling: Opinion }) {
  return (
    <div className={classes.rated}>
      <b>{strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}</b>
      {labelling.finish_note && <bdi>{labelling.finish_note}</bdi>}
      {labelling.overruled_by && <Quiet size="xs">overruled</Quiet>}
      {labelling.critiques.map(({ text, is_human, rating }, index) => (
        <div key={index} className={classes.rated}>
          <Quiet size="xs">{is_human ? "Own critique" : "Critique"}</Quiet>
          <MathText text={text} />
          {rating != null && <Tag rating={rating} />}
        </div>
      ))}
    </div>
  );
}
