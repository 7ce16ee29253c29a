import { Group, NativeSelect, Paper, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { reading } from "@/api/reading";
import type { LabellingDetail, Turn } from "@/api/types";
import { MistakeLine } from "@/rating/mistakes/MistakeLine";
import { Chance } from "@/shared/figures/Estimate";
import { duration } from "@/shared/words/format";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { Dim, Sheet, Tiny } from "@/shared/page/Panel";
import { ProblemText } from "@/shared/trace/ProblemText";
import { ratingWord, RatingTag, type RatingWord } from "@/shared/words/ratings";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { StepShown } from "@/shared/trace/StepShown";
import { strings } from "@/shared/words/strings";
import { endOf } from "@/shared/words/waysOut";
import { meaningOf } from "@/shared/words/words";
import { Joined, Time } from "@/shared/words/Time";
import { checks } from "@/work/checkStrings";
import classes from "./labellings.module.css";

const CHECKS = {
  ...checks,
  // Stored by earlier versions of Stepmark.
  all_fine_but_wrong: "All steps are fine, but the final answer is not the one on file.",
};

const labellingQuery = (id: string) => reading("/api/labellings/{id}/", { path: { id } });

export function LabellingDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Sheet title="Labelling" onClose={onClose}>
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
          aria-label="Versions"
          value={shown}
          onChange={setShown}
          data={versions.map((value, index) => ({ value, label: `Version ${index + 1}` }))}
        />
      )}
      <Loaded query={detail}>
        {(labelling) => (
          <RestOfSolution id={labelling.solution}>
            <LabellingBody labelling={labelling} />
          </RestOfSolution>
        )}
      </Loaded>
    </>
  );
}

function LabellingBody({ labelling }: { labelling: LabellingDetail }) {
  const [model, setModel] = useState<string>();
  const scored = useQuery(reading("/api/solutions/{id}/scores/", { path: { id: labelling.solution } }));
  const scores = scored.data ?? [];
  const chosen = model ?? scores[0]?.reward_model;
  return (
    <>
      <Dim mb="sm">
        <Joined
          parts={[
            labelling.annotator ?? strings.anyone,
            labelling.phase_name,
            strings.phases.round(labelling.round_number),
            <Time at={labelling.submitted_at} />,
            duration(labelling.active_ms ?? 0),
            labelling.guidelines_version != null && `Guidelines ${labelling.guidelines_version}`,
          ]}
        />
      </Dim>
      {labelling.superseded_at && <Dim mb="sm">It no longer counts: it was revised, or asked for again.</Dim>}
      <Paper bg="var(--surface-sunken)" p="md" radius="md">
        <ProblemText
          of={labelling.problem_statement}
          conversation={labelling.conversation}
          markup={labelling.statement_markup}
          answer={labelling.reference_answer}
        />
      </Paper>
      <Text fw={650} mt="md">
        {endOf(labelling.finish_reason)}
      </Text>
      {labelling.finish_note && <Text size="sm">{labelling.finish_note}</Text>}
      {labelling.checks.map((check) => (
        <Dim key={check}>{`A check said: ${meaningOf(CHECKS, check) ?? check}`}</Dim>
      ))}
      {scored.isLoadingError && <Problem error={scored.error} onRetry={() => void scored.refetch()} />}
      {scores.length > 0 && (
        <NativeSelect
          mt="sm"
          maw="20rem"
          label="Step scores by"
          value={chosen}
          onChange={(event) => setModel(event.currentTarget.value)}
          data={[
            ...scores.map(({ reward_model: value, model_name: label }) => ({ value, label })),
            { value: "", label: "None" },
          ]}
        />
      )}
      <MarkupOfTexts value={labelling.markup}>
        <Steps labelling={labelling} chances={scores.find(({ reward_model }) => reward_model === chosen)?.steps} />
      </MarkupOfTexts>
    </>
  );
}

/** Every rated text, with what was asked about the mistake below the first Bad; then what nobody rated. */
function Steps({ labelling, chances }: { labelling: LabellingDetail; chances: (number | null)[] | undefined }) {
  const { completions, critiques, solution_progress: progress, steps, turns } = labelling;
  const words = strings.label.beside;
  const rated = Math.max(-1, ...completions.map(({ step }) => step));
  const firstBad = completions.find(({ is_chosen, rating }) => is_chosen && rating === -1);
  return (
    <ol className={classes.steps}>
      {completions.flatMap((completion) => {
        const { step, text, is_chosen: isChosen, note } = completion;
        const isGiven = text === steps[step];
        const name = strings.label.step(step + 1);
        return [
          <Step
            key={`${step}.${completion.completion}`}
            name={isChosen ? name : `${name} · ${words.alternative(`${completion.completion + 1}`)}`}
            text={text}
            turn={isGiven ? turns?.[step] : undefined}
            at={step}
            isAside={!isChosen}
            isOwn={completion.is_human}
            word={ratingWord(completion.rating, completion.is_flagged)}
            ms={completion.active_ms}
            chance={isGiven ? chances?.[step] : undefined}
          >
            <Text size="sm" mt={6} c="dimmed" className={classes.mistake}>
              <MistakeLine kinds={labelling.error_kinds} text={text} said={completion} />
            </Text>
            {note && (
              <Text size="sm" mt={6}>
                <b>Note:</b> {note}
              </Text>
            )}
          </Step>,
          ...(completion === firstBad
            ? [
                progress && (
                  <li key="progress" className={classes.aside}>
                    <Text size="sm">
                      <b>{words.progress}</b> {words.progressOf[progress]}
                    </Text>
                  </li>
                ),
                ...critiques.map(({ text: critique, rating, is_human }, index) => (
                  <Step
                    key={`critique ${index}`}
                    name={words.critique(`${index + 1}`)}
                    text={critique}
                    isAside
                    isOwn={is_human}
                    word={ratingWord(rating ?? null, false)}
                  />
                )),
              ]
            : []),
        ];
      })}
      {steps.slice(rated + 1).map((text, index) => (
        <Step
          key={`unlabelled ${index}`}
          name={strings.label.step(rated + 2 + index)}
          text={text}
          turn={turns?.[rated + 1 + index]}
          at={rated + 1 + index}
          chance={chances?.[rated + 1 + index]}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  name: string;
  text: string;
  /** The step's parts, in a trace; `at` is its index. */
  turn?: Turn | undefined;
  at?: number;
  /** The rating; undefined if none was asked for. */
  word?: RatingWord | null;
  /** True if the solution did not go on with this text. */
  isAside?: boolean;
  isOwn?: boolean;
  ms?: number;
  chance?: number | null | undefined;
  children?: ReactNode;
}

function Step({ name, text, turn, at = 0, word, isAside, isOwn, ms, chance, children }: StepProps) {
  return (
    <li
      className={isAside ? `${classes.step} ${classes.aside}` : classes.step}
      data-rating={word}
      data-unlabelled={word === undefined || undefined}
    >
      <Group justify="space-between" mb={4}>
        <Tiny fw={600}>{name}</Tiny>
        <Group gap="xs">
          {ms !== undefined && <Tiny>{duration(ms)}</Tiny>}
          <Chance value={chance} />
          {isOwn && (
            <Text size="xs" fw={600}>
              Written by the annotator
            </Text>
          )}
          {word === undefined && <Tiny>Not labelled</Tiny>}
          {word && <RatingTag word={word} />}
        </Group>
      </Group>
      <StepShown text={text} turn={turn} step={at} />
      {children}
    </li>
  );
}
