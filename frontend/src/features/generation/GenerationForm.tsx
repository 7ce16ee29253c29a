import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import type { GenerationRequest } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { options } from "@/shared/options";
import { poolQuery, sourcesOf } from "@/shared/pool";
import { numberOrNull, type Filled } from "@/shared/useForm";
import { useGuardedForm } from "@/shared/useGuardedForm";
import { says } from "./strings";

const DEFAULTS = {
  name: "",
  generator_url: "",
  generator_model: "",
  problem_source: "",
  split: "train" as keyof typeof says.splits,
  most_problems: "" as Filled,
  samples: 8 as Filled,
  temperature: 0.8 as Filled,
  max_tokens: 1024 as Filled,
  stop: "Problem:",
};

function bodyOf(wanted: typeof DEFAULTS): GenerationRequest {
  const { most_problems, samples, temperature, max_tokens, stop } = wanted;
  return {
    ...wanted,
    most_problems: numberOrNull(most_problems),
    samples: Number(samples),
    temperature: Number(temperature),
    max_tokens: Number(max_tokens),
    stop: stop.split("\n").filter((text) => text.trim() !== ""),
  };
}

export function GenerationForm() {
  const sources = sourcesOf(useQuery(poolQuery).data);
  const { form, text, number } = useGuardedForm(DEFAULTS, (wanted) =>
    client.POST("/api/generations/", { body: bodyOf(wanted) }),
  );
  return (
    <Form {...form}>
      <TextInput label={says.name} description={says.nameHint} {...text("name")} maxLength={100} required />
      <TextInput label={says.url} description={says.urlHint} {...text("generator_url")} inputMode="url" />
      <TextInput label={says.model} description={says.modelHint} {...text("generator_model")} required />
      <NativeSelect
        label={says.problems}
        {...text("problem_source")}
        data={[{ value: "", label: says.allProblems }, ...sources]}
      />
      <NativeSelect label={says.split} {...text("split")} data={options(says.splits)} />
      <NumberInput label={says.most} description={says.mostHint} {...number("most_problems")} min={1} />
      <NumberInput label={says.samples} {...number("samples")} min={1} max={256} required />
      <NumberInput label={says.temperature} {...number("temperature")} min={0} max={2} step={0.1} required />
      <NumberInput label={says.tokens} {...number("max_tokens")} min={1} required />
      <Textarea label={says.stop} description={says.stopHint} {...text("stop")} autosize minRows={2} />
      <Submit>{says.start}</Submit>
    </Form>
  );
}
