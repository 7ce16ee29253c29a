import { Group, NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState, type ReactNode } from "react";
import { reading } from "@/api/reading";
import type { LabellingDetail } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { Chance } from "@/shared/Chance";
import { duration } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Problem } from "@/shared/Problem";
import { ratingWord, RatingTag } from "@/shared/ratings";
import { Sheet } from "@/shared/Sheet";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import classes from "./labellings.module.css";
import { checks } from "@/work/checkStrings";
import { Joined, Time } from "@/shared/Time";

const says = staffStrings.labellings;
type Completion = LabellingDetail["completions"][number];
const CHECKS: Record<string, string> = { ...checks, ...says.earlierChecks };

const labellingQuery = (id: string) => reading("/api/labellings/{id}/", { path: { id } });

export function LabellingDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Sheet title={says.detail} onClose={onClose}>
      {id && <Detail key={id} id={id} />}
    </Sheet>
  );
}

/** The labelling, or what a revision of it superseded: each version as it was submitted. */
function Detail({ id }: { id: string }) {
  const [shown, setShown] = useState(id);
  const newest = useQuery(labellingQuery(id));
  const detail = useQuery(labellingQuery(shown));
  const versions = [...(newest.data?.supersedes ?? []), id];
  return (
    <>
      {versions.length > 1 && (
        <SegmentedControl
          mb="sm"
          aria-label={says.versions}
          value={shown}
          onChange={setShown}
          data={versions.map((value, index) => ({ value, label: says.version(index + 1) }))}
        />
      )}
      <Loaded query={detail}>{(labelling) => <LabellingBody labelling={labelling} />}</Loaded>
    </>
  );
}

function LabellingBody({ labelling }: { labelling: LabellingDetail }) {
  const [model, setModel] = useState<string>();
  const scored = useQuery(reading("/api/solutions/{id}/scores/", { path: { id: labelling.solution } }));
  const scores = scored.data ?? [];
  const chances = (
    scores.find(({ reward_model }) => reward_model === model) ?? (model === undefined ? scores[0] : undefined)
  )?.steps;
  const chanceOf = ({ step, text }: Completion) => (text === labelling.steps[step] ? chances?.[step] : undefined);
  const rated = Math.max(-1, ...labelling.completions.map((completion) => completion.step));
  const firstBad = labelling.completions.find((completion) => completion.is_chosen && completion.rating === -1)?.step;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        <Joined
          parts={[
            labelling.annotator ?? says.anyone,
            labelling.phase_name,
            strings.phases.round(labelling.round_number),
            <Time at={labelling.submitted_at} />,
            duration(labelling.active_ms ?? 0),
          ]}
        />
      </Text>
      <div className={classes.statement}>
        <MathText text={labelling.problem_statement} />
        <Group gap="xs" mt="sm">
          <Text size="sm" c="dimmed">
            {says.reference}
          </Text>
          <AnswerText text={labelling.reference_answer} />
        </Group>
      </div>
      <Text fw={650} mt="md">
        {strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}
      </Text>
      {labelling.finish_note && <Text size="sm">{labelling.finish_note}</Text>}
      {labelling.checks.map((check) => (
        <Text key={check} size="sm" c="dimmed">
          {says.checked} {CHECKS[check] ?? check}
        </Text>
      ))}
      {scored.isLoadingError && <Problem error={scored.error} onRetry={() => void scored.refetch()} />}
      {scores.length > 0 && (
        <NativeSelect
          mt="sm"
          maw="20rem"
          label={staffStrings.heat.scoredBy}
          value={model ?? scores[0]?.reward_model}
          onChange={(event) => setModel(event.currentTarget.value)}
          data={[
            ...scores.map(({ reward_model: value, model_name: label }) => ({ value, label })),
            { value: "", label: staffStrings.heat.none },
          ]}
        />
      )}
      <ol className={classes.steps}>
        {labelling.completions.map((completion) => (
          <Fragment key={`${completion.step}.${completion.completion}`}>
            <RatedStep completion={completion} chance={chanceOf(completion)} />
            {completion.is_chosen && completion.step === firstBad && <Critiques labelling={labelling} />}
          </Fragment>
        ))}
        {labelling.steps.slice(rated + 1).map((text, index) => (
          <li key={`unlabelled ${index}`} className={classes.step} data-unlabelled>
            <StepHead name={strings.label.step(rated + 2 + index)}>
              <Chance value={chances?.[rated + 1 + index]} />
              <Text size="xs" c="dimmed">
                {says.unlabelled}
              </Text>
            </StepHead>
            <MathText text={text} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** One that the solution did not go on with stands aside. */
function RatedStep({ completion, chance }: { completion: Completion; chance: number | undefined }) {
  const { step, is_chosen: isChosen } = completion;
  const name = strings.label.step(step + 1);
  return (
    <Rated
      isAside={!isChosen}
      rating={completion.rating}
      isFlagged={completion.is_flagged}
      text={completion.text}
      name={isChosen ? name : `${name} · ${strings.label.beside.alternative(`${completion.completion + 1}`)}`}
      isOwn={completion.is_human}
      ms={completion.active_ms}
      chance={chance}
    >
      {completion.note && (
        <Text size="sm" mt={6}>
          <b>{says.note}:</b> {completion.note}
        </Text>
      )}
    </Rated>
  );
}

/** What was asked about the mistake: how far the solution had got, and what is wrong. */
function Critiques({ labelling: { critiques, solution_progress: progress } }: { labelling: LabellingDetail }) {
  const words = strings.label.beside;
  return (
    <>
      {progress && (
        <li className={classes.aside}>
          <Text size="sm">
            <b>{words.progress}</b> {words.progressOf[progress]}
          </Text>
        </li>
      )}
      {critiques.map(({ text, rating, is_human: isOwn }, index) => (
        <Rated key={index} isAside name={words.critique(`${index + 1}`)} rating={rating} text={text} isOwn={isOwn} />
      ))}
    </>
  );
}

interface RatedProps {
  name: string;
  text: string;
  rating?: number | null;
  isFlagged?: boolean;
  isOwn?: boolean;
  ms?: number;
  chance?: number | undefined;
  isAside: boolean;
  children?: ReactNode;
}

function Rated({
  name,
  text,
  rating = null,
  isFlagged = false,
  isOwn = false,
  ms,
  chance,
  isAside,
  children,
}: RatedProps) {
  const word = ratingWord(rating, isFlagged);
  return (
    <li className={isAside ? `${classes.step} ${classes.aside}` : classes.step} data-rating={word}>
      <StepHead name={name}>
        {ms !== undefined && (
          <Text size="xs" c="dimmed">
            {duration(ms)}
          </Text>
        )}
        <Chance value={chance} />
        {isOwn && (
          <Text size="xs" fw={600}>
            {says.own}
          </Text>
        )}
        {word && <RatingTag word={word} />}
      </StepHead>
      <MathText text={text} />
      {children}
    </li>
  );
}

function StepHead({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group justify="space-between" mb={4}>
      <Text size="xs" fw={600} c="dimmed">
        {name}
      </Text>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
