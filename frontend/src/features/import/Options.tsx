import { Checkbox, NativeSelect, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { FieldEnum, Grader, ImportDetail, Markup, PatchedOptionsRequest, StepRule } from "@/api/types";
import { options } from "@/shared/forms/choices";
import { Problem } from "@/shared/page/Loaded";
import { Panel } from "@/shared/page/Panel";
import { GRADERS, MARK, MARKUPS, SPLITS, STEP_RULES } from "@/shared/words/vocabularies";
import { wordsOf } from "@/shared/words/words";
import { useAct } from "@/shared/forms/useAct";
import { errorBeside, errorOf } from "@/shared/forms/useForm";
import classes from "./import.module.css";
import { FORMATS } from "./words";

/** The options of an import: format, target, splitting, grading. Each change re-reads the whole file. */
export function Options({ run }: { run: ImportDetail }) {
  const change = useAct((body: PatchedOptionsRequest) =>
    client.PATCH("/api/imports/{id}/", { params: { path: { id: run.id } }, body }),
  );
  const profiles = useQuery(reading("/api/profiles/")).data ?? [];
  const domainsOf = (wanted: Grader) => {
    const domains = profiles.filter(({ grader }) => grader === wanted).map(({ title }) => title.toLowerCase());
    return domains.length > 0 && wanted !== "mathematics" ? ` (${domains.join(", ")})` : "";
  };
  const format = FORMATS[run.file_format];
  const failure = errorBeside(change.error, ["target", "benchmark", "licence", "provenance", "split_by", "mark"]);
  return (
    <Panel title="How it is read">
      <Stack gap="sm">
        <NativeSelect
          label="Format"
          value={run.file_format}
          onChange={(event) => change.mutate({ file_format: event.currentTarget.value as typeof run.file_format })}
          data={wordsOf(FORMATS).map((value) => ({ value, label: FORMATS[value].name }))}
        />
        <Stated
          {...format.target}
          placeholder={run.destination}
          maxLength={100}
          stored={run.target}
          error={errorOf(change.error)("target")}
          onChange={(target) => change.mutate({ target })}
        />
        <NativeSelect
          label="Split of problems"
          description="Where the file doesn’t say it. What is held out stays held out."
          value={run.split}
          onChange={(event) => change.mutate({ split: event.currentTarget.value as typeof run.split })}
          data={[
            { value: "", label: format.isHeldOut ? "Test (held out)" : "Train, unless known" },
            ...options(SPLITS),
          ].filter(({ value }) => value !== (format.isHeldOut ? "test" : undefined))}
        />
        <Stated
          label="Benchmark"
          description="Registers the problems under this name: no model is trained on them."
          placeholder="None"
          maxLength={100}
          stored={run.benchmark}
          error={errorOf(change.error)("benchmark")}
          onChange={(benchmark) => change.mutate({ benchmark })}
        />
        <NativeSelect
          label="Answers are graded by"
          description={`${GRADERS[run.graded_by].right} A record’s own verdict comes first.`}
          value={run.graded_by}
          onChange={(event) => change.mutate({ graded_by: event.currentTarget.value as Grader })}
          data={wordsOf(GRADERS).map((value) => ({ value, label: GRADERS[value].name + domainsOf(value) }))}
        />
        {FORMATS[run.file_format].isCut && <Cutting run={run} error={change.error} change={change.mutate} />}
        {run.file_format === "solutions" && <Columns run={run} change={change.mutate} />}
        <Stated
          label="Licence"
          description="Under which the file may be passed on: data releases state it."
          placeholder="Such as MIT or CC-BY-4.0"
          maxLength={100}
          stored={run.licence}
          error={errorOf(change.error)("licence")}
          onChange={(licence) => change.mutate({ licence })}
        />
        <Stated
          label="Provenance"
          description="Where the file comes from."
          placeholder="An address, a paper"
          maxLength={500}
          stored={run.provenance}
          error={errorOf(change.error)("provenance")}
          onChange={(provenance) => change.mutate({ provenance })}
        />
        <ShownAs
          label="Problems are shown as"
          chosen={run.statement_markup}
          guessed={run.preview.statement_markup}
          onChoice={(statement_markup) => change.mutate({ statement_markup })}
        />
        <ShownAs
          label="Steps are shown as"
          chosen={run.markup}
          guessed={run.preview.markup}
          onChoice={(markup) => change.mutate({ markup })}
        />
        <Checkbox
          label="Import nothing if any line is bad"
          checked={run.is_atomic}
          onChange={(event) => change.mutate({ is_atomic: event.currentTarget.checked })}
        />
        {failure && <Problem error={failure} />}
      </Stack>
    </Panel>
  );
}

interface CuttingProps {
  run: ImportDetail;
  error: Error | null;
  change: (body: PatchedOptionsRequest) => void;
}

/** The rule that splits texts into steps; steps given by the file stay. A model is offered if one is set up. */
function Cutting({ run, error, change }: CuttingProps) {
  const model = run.split_model || run.splitter;
  const rules = wordsOf(STEP_RULES).filter((rule) => rule !== "model" || model || run.split_by === rule);
  const isModel = run.split_by === "model";
  return (
    <>
      <NativeSelect
        label="Texts are split by"
        description={`${STEP_RULES[run.split_by].where}${isModel && model ? ` The model: ${model}.` : ""}`}
        error={errorOf(error)("split_by")}
        value={run.split_by}
        onChange={(event) => change({ split_by: event.currentTarget.value as StepRule })}
        data={rules.map((value) => ({ value, label: STEP_RULES[value].name }))}
      />
      {run.split_by === "mark" && (
        <Stated
          label="Mark"
          description="It is left out."
          placeholder={MARK}
          maxLength={50}
          stored={run.mark}
          error={errorOf(error)("mark")}
          onChange={(mark) => change({ mark })}
        />
      )}
    </>
  );
}

interface StatedProps extends Omit<TextInputProps, "value" | "onChange"> {
  stored: string;
  onChange: (value: string) => void;
}

/** A text field that submits on blur or Enter. */
function Stated({ stored, onChange, ...input }: StatedProps) {
  const [value, setValue] = useState(stored);
  return (
    <TextInput
      {...input}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={() => value !== stored && onChange(value)}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

interface ShownAsProps {
  label: string;
  chosen: Markup | "";
  guessed: Markup;
  onChoice: (markup: Markup | "") => void;
}

function ShownAs({ label, chosen, guessed, onChoice }: ShownAsProps) {
  return (
    <NativeSelect
      label={label}
      value={chosen}
      onChange={(event) => onChoice(event.currentTarget.value as Markup | "")}
      data={[{ value: "", label: chosen ? "As they look" : `${MARKUPS[guessed]}, as they look` }, ...options(MARKUPS)]}
    />
  );
}

const FIELDS = {
  problem: "Problem",
  steps: "Steps",
  text: "Text, to be split",
  answer: "Final answer",
  generator: "Generator",
  reference_answer: "Reference answer",
  reference_solution: "Reference solution",
  correct: "Verdict",
  subject: "Subject",
  level: "Level",
  split: "Split",
  id: "Id",
} satisfies Record<FieldEnum, string>;

/** The role of each column of the file, and the generator of records that name none. */
function Columns({ run, change }: { run: ImportDetail; change: (body: PatchedOptionsRequest) => void }) {
  const read = (name: string, field: string) => {
    const others = Object.entries(run.columns).filter(([other]) => other !== name);
    change({ columns: Object.fromEntries(field ? [...others, [name, field]] : others) as typeof run.columns });
  };
  return (
    <>
      <fieldset className={classes.columnsOf}>
        <legend>Columns</legend>
        {run.preview.columns.map(({ name, field, example }) => (
          <NativeSelect
            key={name}
            size="xs"
            label={<bdi title={example}>{name}</bdi>}
            value={field}
            onChange={(event) => read(name, event.currentTarget.value)}
            data={[{ value: "", label: "Not imported" }, ...options(FIELDS)]}
          />
        ))}
      </fieldset>
      <Stated
        label="Generator"
        description="Of solutions that name none."
        placeholder="None"
        maxLength={100}
        stored={run.generator}
        onChange={(generator) => change({ generator })}
      />
    </>
  );
}
