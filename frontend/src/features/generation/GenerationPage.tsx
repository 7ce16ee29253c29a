import { Group, NativeSelect, NumberInput, Stack, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Generation, GenerationRequest, Split } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { count, decimal } from "@/shared/words/format";
import { Pages } from "@/shared/tables/Listing";
import { options, poolQuery, sourcesOf } from "@/shared/forms/choices";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Facts, Panel } from "@/shared/page/Panel";
import { live, RunState } from "@/shared/runs/runs";
import { canRunJobs, useUser } from "@/shared/session/session";
import { SPLITS, STEP_RULES, VERDICTS } from "@/shared/words/vocabularies";
import { SplitFields, USUAL_SPLIT, withMark } from "@/shared/forms/SplitFields";
import { wordsOf } from "@/shared/words/words";
import { Submit } from "@/shared/forms/Submit";
import { Time } from "@/shared/words/Time";
import type { Filled } from "@/shared/forms/useForm";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { usePages } from "@/shared/tables/usePages";
import classes from "./generation.module.css";

const COUNTS = {
  problems: "Problems",
  written: "Written",
  new: "New texts",
  known: "Draws of known texts",
  unusable: "Unusable",
  ...VERDICTS,
} satisfies Record<keyof Generation["summary"], string>;

export default function GenerationPage() {
  const mayAct = canRunJobs(useUser());
  const { list } = usePages({}, (query) => live(reading("/api/generations/", { query })));
  return (
    <>
      <PageTitle
        title="Generation"
        lead="A model writes solutions to the problems. They join the pool that selections pick from."
      />
      {!mayAct && <Dim mb="md">View only: ML staff start and stop generation.</Dim>}
      <div className={classes.beside} data-alone={!mayAct || undefined}>
        {mayAct && (
          <Panel title="Generate solutions">
            <GenerationForm />
          </Panel>
        )}
        <Pages {...list} none="Nothing has been generated yet.">
          {(runs) => (
            <Stack>
              {runs.map((run) => (
                <Row key={run.id} run={run} />
              ))}
            </Stack>
          )}
        </Pages>
      </div>
    </>
  );
}

function Row({ run }: { run: Generation }) {
  const facts = wordsOf(COUNTS).flatMap((key) => {
    const value = run.summary[key];
    return value === undefined ? [] : [{ name: COUNTS[key], value: count(value) }];
  });
  return (
    <Panel>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={3} size="h5">
          {run.name}
        </Title>
        <Dim>
          <Time at={run.created_at} />
        </Dim>
      </Group>
      <Dim mb="sm" style={{ overflowWrap: "anywhere" }}>
        {[
          run.generator_model,
          run.generator_url,
          `${run.samples} per problem at temperature ${decimal(run.temperature, 1)}`,
          run.split_by !== "usual" && `split by: ${STEP_RULES[run.split_by].name}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </Dim>
      <RunState run={run} />
      {facts.length > 0 && (
        <div className={classes.facts}>
          <Facts facts={facts} />
        </div>
      )}
    </Panel>
  );
}

const DEFAULTS = {
  name: "",
  generator_url: "",
  generator_model: "",
  problem_source: "",
  split: "train" as Split | "",
  most_problems: null as number | null,
  samples: 8,
  temperature: 0.8 as Filled,
  max_tokens: 1024,
  stop: "Problem:",
  ...USUAL_SPLIT,
};

function bodyOf(wanted: typeof DEFAULTS): GenerationRequest {
  const { temperature, stop } = wanted;
  return {
    ...withMark(wanted),
    temperature: Number(temperature),
    stop: stop.split("\n").filter((text) => text.trim() !== ""),
  };
}

function GenerationForm() {
  const pool = useQuery(poolQuery).data;
  const sources = [...new Set([...sourcesOf(pool), ...(pool?.problem_sources ?? [])])].sort();
  const { form, values, text, number, amount } = useGuardedForm(DEFAULTS, (wanted) =>
    client.POST("/api/generations/", { body: bodyOf(wanted) }),
  );
  return (
    <Form {...form}>
      <TextInput
        label="Source"
        description="The name of these solutions in the pool."
        {...text("name")}
        maxLength={100}
        required
      />
      <TextInput
        label="Endpoint"
        description="OpenAI-compatible, such as http://host:8000/v1. Empty: a local model, run by the worker."
        {...text("generator_url")}
        inputMode="url"
      />
      <TextInput
        label="Model"
        description="The endpoint’s name for it, or a local path or hub name."
        {...text("generator_model")}
        required
      />
      <NativeSelect
        label="Problems of the source"
        {...text("problem_source")}
        data={[{ value: "", label: "All sources" }, ...sources]}
      />
      <NativeSelect label="Split" {...text("split")} data={options({ ...SPLITS, "": "Both" })} />
      <NumberInput label="Problems, at most" description="Empty: all of them." {...amount("most_problems")} min={1} />
      <NumberInput label="Solutions per problem" {...amount("samples")} min={1} max={256} required />
      <NumberInput label="Temperature" {...number("temperature")} min={0} max={2} step={0.1} required />
      <NumberInput label="Tokens per solution, at most" {...amount("max_tokens")} min={1} required />
      <Textarea
        label="Stop strings, one per line"
        description="A solution ends where one of them begins."
        {...text("stop")}
        autosize
        minRows={2}
      />
      <SplitFields label="Solutions are split by" rule={values.split_by} text={text} />
      <Submit>Start</Submit>
    </Form>
  );
}
