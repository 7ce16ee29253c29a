import { Button, NativeSelect, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { client, dataOf } from "@/api/client";
import type { GenerationRequest } from "@/api/types";
import { errorBeside, errorOf } from "@/shared/fieldErrors";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";

const DEFAULTS = { name: "", generator_url: "", generator_model: "", problem_source: "", split: "train", most_problems: "" as number | string, samples: 8 as number | string, temperature: 0.8 as number | string, max_tokens: 1024 as number | string, stop: "Problem:" };

function bodyOf(wanted: typeof DEFAULTS): GenerationRequest {
  return {
    ...wanted, split: wanted.split as GenerationRequest["split"], most_problems: wanted.most_problems === "" ? null : Number(wanted.most_problems),
    samples: Number(wanted.samples), temperature: Number(wanted.temperature), max_tokens: Number(wanted.max_tokens), stop: wanted.stop.split("\n").filter((text) => text.trim() !== ""),
  };
}

export function GenerationForm() {
  const [wanted, setWanted] = useState(DEFAULTS);
  const sources = useQuery({ queryKey: ["pool"], queryFn: () => dataOf(client.GET("/api/pool/")) }).data?.sources ?? [];
  const act = useAct(() => client.POST("/api/generations/", { body: bodyOf(wanted) }));
  const errors = errorOf(act.error);
  const text = (name: "name" | "generator_url" | "generator_model" | "problem_source" | "split" | "stop") => ({
    value: wanted[name], error: errors(name), onChange: (event: { currentTarget: { value: string } }) => setWanted({ ...wanted, [name]: event.currentTarget.value }),
  });
  const number = (name: "most_problems" | "samples" | "temperature" | "max_tokens") => ({
    value: wanted[name], error: errors(name), onChange: (value: number | string) => setWanted({ ...wanted, [name]: value }),
  });
  const rest = errorBeside(act.error, Object.keys(DEFAULTS));
  return (
    <Stack component="form" gap="sm" onSubmit={(event: SubmitEvent) => { event.preventDefault(); act.mutate(); }}>
      <TextInput label={says.name} description={says.nameHint} {...text("name")} maxLength={100} required />
      <TextInput label={says.url} description={says.urlHint} {...text("generator_url")} inputMode="url" />
      <TextInput label={says.model} description={says.modelHint} {...text("generator_model")} required />
      <NativeSelect label={says.problems} {...text("problem_source")} data={[{ value: "", label: says.allProblems }, ...sources.filter(({ source }) => source !== "").map(({ source }) => ({ value: source, label: source }))]} />
      <NativeSelect label={says.split} {...text("split")} data={Object.entries(says.splits).map(([value, label]) => ({ value, label }))} />
      <NumberInput label={says.most} description={says.mostHint} {...number("most_problems")} min={1} />
      <NumberInput label={says.samples} {...number("samples")} min={1} max={256} required />
      <NumberInput label={says.temperature} {...number("temperature")} min={0} max={2} step={0.1} required />
      <NumberInput label={says.tokens} {...number("max_tokens")} min={1} required />
      <Textarea label={says.stop} description={says.stopHint} {...text("stop")} autosize minRows={2} />
      {rest && <Problem error={rest} />}
      <Button type="submit" loading={act.isPending}>{says.start}</Button>
    </Stack>
  );
}
