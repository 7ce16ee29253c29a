import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { TaskCase } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { RatingTag, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./adjudication.module.css";
import { whoOf, type Opinion } from "./ruling";
import { says } from "./strings";

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
  return (
    <dl className={classes.opinions} data-wide={isWide || undefined}>
      {task.labellings.map((labelling, index) => (
        <Column key={labelling.id} name={whoOf(task, index)}>
          {of(labelling)}
        </Column>
      ))}
      {task.gold && <Column name="Experts">{experts}</Column>}
      {rulingOf(task) && <Column name={says.ruling}>{ruling}</Column>}
    </dl>
  );
}

function Column({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>{children}</dd>
    </div>
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
  if (word) return <RatingTag word={word} />;
  return (
    <Text size="xs" c="dimmed">
      not rated
    </Text>
  );
}

function Rated({ labelling, step, hasTexts }: { labelling: Opinion; step: number; hasTexts: boolean }) {
  const rated = labelling.completions.filter((completion) => completion.step === step);
  if (rated.length === 0) return <Tag rating={null} />;
  return rated.map((completion) => (
    <div key={completion.completion} className={classes.rated}>
      {(hasTexts || completion.completion > 0) && <MathText text={completion.text} />}
      <span>
        <Tag rating={completion.rating} isFlagged={completion.is_flagged} />{" "}
        {hasTexts && completion.is_chosen && (
          <Text span size="xs" c="dimmed">
            goes on
          </Text>
        )}
      </span>
      {completion.note && (
        <Text size="sm">
          <bdi>{completion.note}</bdi>
        </Text>
      )}
    </div>
  ));
}

function Ending({ labelling }: { labelling: Opinion }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}
      </Text>
      {labelling.finish_note && (
        <Text size="sm">
          <bdi>{labelling.finish_note}</bdi>
        </Text>
      )}
      {labelling.overruled_by && (
        <Text size="xs" c="dimmed">
          overruled
        </Text>
      )}
      {labelling.critiques.map((critique, index) => (
        <div key={index} className={classes.rated}>
          <Text size="xs" c="dimmed">
            {critique.is_human ? "Own critique" : "Critique"}
          </Text>
          <MathText text={critique.text} />
          {critique.rating != null && <Tag rating={critique.rating} />}
        </div>
      ))}
    </>
  );
}
