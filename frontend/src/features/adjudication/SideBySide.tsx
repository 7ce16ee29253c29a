import { Button, Table, Text } from "@mantine/core";
import type { TaskCase } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { RATED, RatingIcon, RATINGS, RatingTag, ratingWord } from "@/shared/ratings";
import type { Ratings } from "@/shared/ruling";
import { strings } from "@/shared/strings";
import classes from "./adjudication.module.css";
import type { Opinion } from "./ruling";
import { says } from "./strings";

interface Ruling {
  ratings: Ratings;
  current: number;
  rate: (step: number, rating: number) => void;
  take: (labelling: number) => void;
}

/** Steps as rows, people as columns; the last column is the ruling: one to make, or the one that stands. */
export function SideBySide({ task, ruling }: { task: TaskCase; ruling: Ruling | null }) {
  const isShared = task.phase_kind === "solutions";
  const last = Math.max(-1, ...task.labellings.flatMap(({ completions }) => completions.map(({ step }) => step)));
  const stands = task.consensuses.find(({ method }) => method === "adjudicated")?.ratings;
  const steps = isShared ? task.solution.steps : Array.from({ length: last + 1 }, () => "");
  return (
    // What scrolls can be reached with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`${classes.scroll ?? ""} sideways`} tabIndex={0} role="region" aria-label={says.table}>
      <Table verticalSpacing="sm" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{says.step}</Table.Th>
            {task.labellings.map((labelling, index) => (
              <Table.Th key={labelling.id} scope="col">
                <Head
                  who={labelling.annotator ?? (task.is_waiting ? says.person(index) : says.somebody)}
                  labelling={labelling}
                  number={index + 1}
                  onTake={ruling ? () => ruling.take(index) : null}
                />
              </Table.Th>
            ))}
            {task.gold && <Table.Th scope="col">{says.experts}</Table.Th>}
            {(ruling ?? stands) && <Table.Th scope="col">{says.ruling}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((text, step) => (
            <Table.Tr key={step}>
              <Table.Th scope="row" className={classes.step}>
                <span>{step + 1}</span>
                {text && <MathText text={text} />}
              </Table.Th>
              {task.labellings.map((labelling) => (
                <Table.Td key={labelling.id} className={isShared ? undefined : classes.wide}>
                  <Said labelling={labelling} step={step} hasText={!isShared} />
                </Table.Td>
              ))}
              {task.gold && (
                <Table.Td>
                  <Tag rating={task.gold.ratings[step]} />
                </Table.Td>
              )}
              {!ruling && stands && (
                <Table.Td>
                  <Tag rating={stands[step]} />
                </Table.Td>
              )}
              {ruling && (
                <Table.Td
                  data-current={ruling.current === step || undefined}
                  aria-current={ruling.current === step || undefined}
                >
                  <Rate step={step} ruling={ruling} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{says.ending}</Table.Th>
            {task.labellings.map((labelling) => (
              <Table.Td key={labelling.id}>
                <Ending labelling={labelling} />
              </Table.Td>
            ))}
            {task.gold && (
              <Table.Td>
                <Text size="sm">{task.gold.rationale}</Text>
              </Table.Td>
            )}
            {(ruling ?? stands) && <Table.Td />}
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Head({
  who,
  labelling,
  number,
  onTake,
}: {
  who: string;
  labelling: Opinion;
  number: number;
  onTake: (() => void) | null;
}) {
  return (
    <>
      {onTake && number < 10 ? (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<kbd>{number}</kbd>}
          aria-label={says.take(who)}
          title={says.take(who)}
          onClick={onTake}
        >
          <bdi>{who}</bdi>
        </Button>
      ) : (
        <bdi>{who}</bdi>
      )}
      {labelling.overruled_by && (
        <Text size="xs" c="dimmed">
          {says.overruled}
        </Text>
      )}
    </>
  );
}

function Tag({ rating, isFlagged = false }: { rating: number | null | undefined; isFlagged?: boolean }) {
  const word = ratingWord(rating ?? null, isFlagged);
  return word ? (
    <RatingTag word={word} />
  ) : (
    <Text size="xs" c="dimmed">
      {says.notRated}
    </Text>
  );
}

function Said({ labelling, step, hasText }: { labelling: Opinion; step: number; hasText: boolean }) {
  const rated = labelling.completions.filter((completion) => completion.step === step);
  if (rated.length === 0) return <Tag rating={null} />;
  return rated.map((completion) => (
    <div key={completion.completion} className={classes.said}>
      {(hasText || completion.completion > 0) && <MathText text={completion.text} />}
      <span>
        <Tag rating={completion.rating} isFlagged={completion.is_flagged} />{" "}
        {hasText && completion.is_chosen && (
          <Text span size="xs" c="dimmed">
            {says.goesOn}
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
      {labelling.critiques.map((critique, index) => (
        <div key={index} className={classes.said}>
          <Text size="xs" c="dimmed">
            {critique.is_human ? says.ownCritique : says.critique}
          </Text>
          <MathText text={critique.text} />
          {critique.rating != null && <Tag rating={critique.rating} />}
        </div>
      ))}
    </>
  );
}

function Rate({ step, ruling }: { step: number; ruling: Ruling }) {
  return (
    <div className={classes.rate}>
      {RATED.map((word) => {
        const name = says.rate(strings.ratings[word], step + 1);
        const rating = RATINGS[word];
        return (
          <button
            key={word}
            type="button"
            data-rating={word}
            aria-pressed={ruling.ratings[step] === rating}
            aria-label={name}
            title={name}
            onClick={() => ruling.rate(step, rating)}
          >
            <RatingIcon word={word} size={22} />
          </button>
        );
      })}
    </div>
  );
}
