import { Group } from "@mantine/core";
import type { ImportDetail, Markup, PreviewRecord } from "@/api/types";
import { AnswerText } from "@/shared/text/AnswerText";
import { count, plural } from "@/shared/words/format";
import { MathText } from "@/shared/text/MathText";
import { Asked } from "@/shared/trace/Asked";
import { StepShown } from "@/shared/trace/StepShown";
import { Dim, Panel, Tiny } from "@/shared/page/Panel";
import { ratingWord, RatingTag } from "@/shared/words/ratings";
import { SPLITS } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { Joined } from "@/shared/words/Time";
import { StepCuts, Uncut } from "./HandCuts";
import classes from "./import.module.css";

/** The first records as they will look in the pool. */
export function Preview({ run, isOpen }: { run: ImportDetail; isOpen: boolean }) {
  const { records, markup, statement_markup } = run.preview;
  return (
    <Panel title={records.length > 1 ? `The first ${count(records.length)} solutions` : "The first solution"}>
      {records.length === 0 && <Dim size="md">None of the first lines can be read like this.</Dim>}
      {records.map((record, index) => (
        <details key={index} className={classes.record} open={index === 0}>
          <summary>
            <Tiny span className={classes.line}>{`Line ${count(record.line)}`}</Tiny>
            <span className={classes.clipped}>
              <MathText text={record.problem} markup={statement_markup} isClipped />
            </span>
          </summary>
          <Whole
            record={record}
            markup={markup}
            statementMarkup={statement_markup}
            edit={isOpen && record.text_hash ? run.id : null}
          />
        </details>
      ))}
    </Panel>
  );
}

interface WholeProps {
  record: PreviewRecord;
  markup: Markup;
  statementMarkup: Markup;
  /** The import, if its steps can be changed by hand; otherwise null. */
  edit: string | null;
}

function Whole({ record, markup, statementMarkup, edit }: WholeProps) {
  return (
    <div className={classes.whole}>
      <Asked statement={record.problem} markup={statementMarkup} conversation={record.conversation} />
      <Tiny>
        <Joined parts={[record.generator, SPLITS[record.split], plural(record.steps.length, "step")]} />
      </Tiny>
      <ol className={classes.steps}>
        {record.steps.map((text, step) => {
          const word = step < record.ratings.length ? ratingWord(record.ratings[step] ?? null, true) : null;
          return (
            <li key={step}>
              <div className={classes.stepHead}>
                <b>{strings.label.step(step + 1)}</b>
                {word && <RatingTag word={word} />}
              </div>
              <StepShown text={text} turn={record.turns?.[step]} step={step} markup={markup} />
              {edit !== null && <StepCuts id={edit} record={record} step={step} />}
            </li>
          );
        })}
      </ol>
      {edit !== null && record.is_cut_by_hand && <Uncut id={edit} record={record} />}
      <Group gap="lg">
        <Answer name="Final answer" text={record.answer} />
        <Answer name="Reference answer" text={record.reference_answer} />
        {record.is_correct !== null && <Dim>{record.is_correct ? "Right, says the file" : "Wrong, says the file"}</Dim>}
      </Group>
    </div>
  );
}

function Answer({ name, text }: { name: string; text: string }) {
  return (
    <Group gap="xs">
      <Dim>{name}</Dim>
      {text ? <AnswerText text={text} /> : <Dim>none</Dim>}
    </Group>
  );
}
