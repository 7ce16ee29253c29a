import { Button, NativeSelect, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { client } from "@/api/client";
import type { Autopilot, AutopilotSettings } from "@/api/types";
import { errorBeside, errorOf } from "@/shared/fieldErrors";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";

function formOf(pilot: Autopilot) {
  return {
    base: pilot.base ?? "", epochs: pilot.training?.epochs ?? ("" as number | string), policy: pilot.policy ?? "convincing", size: pilot.size as number | string, per_problem: pilot.per_problem ?? ("" as number | string),
    share: (pilot.wrong_share ?? 0.8) * 100 as number | string, overlap: pilot.overlap as number | string, least_candidates: pilot.least_candidates as number | string, most_rounds: pilot.most_rounds as number | string,
    most_labellings: pilot.most_labellings ?? ("" as number | string), patience_minutes: pilot.patience_minutes as number | string, webhook_url: pilot.webhook_url ?? "", emails: (pilot.emails ?? []).join("\n"),
  };
}

type Form = ReturnType<typeof formOf>;
type Numbers = "epochs" | "size" | "per_problem" | "share" | "overlap" | "least_candidates" | "most_rounds" | "most_labellings" | "patience_minutes";

function numberOrNull(value: number | string): number | null {
  return value === "" ? null : Number(value);
}

function bodyOf(pilot: Autopilot, form: Form): AutopilotSettings {
  const { base, policy, webhook_url, share, epochs } = form;
  const numbers = Object.fromEntries((["size", "overlap", "least_candidates", "most_rounds", "patience_minutes"] as const).map((name) => [name, Number(form[name])]));
  const training = { ...pilot.training, epochs: epochs === "" ? undefined : Number(epochs) };
  return {
    base, training, policy, webhook_url, ...numbers, wrong_share: Number(share) / 100, per_problem: numberOrNull(form.per_problem),
    most_labellings: numberOrNull(form.most_labellings), emails: form.emails.split("\n").map((line) => line.trim()).filter(Boolean),
  };
}

export function SettingsForm({ pilot }: { pilot: Autopilot }) {
  const [form, setForm] = useState(() => formOf(pilot));
  const act = useAct(() => client.PATCH("/api/autopilots/{id}/", { params: { path: { id: pilot.phase } }, body: bodyOf(pilot, form) }));
  const errors = errorOf(act.error);
  const rest = errorBeside(act.error, [...Object.keys(form), "wrong_share", "training"]);
  const number = (name: Numbers, field: string = name) => ({ value: form[name], onChange: (value: number | string) => setForm({ ...form, [name]: value }), error: errors(field), min: 1 });
  const text = (name: "base" | "policy" | "webhook_url" | "emails") => ({ value: form[name], error: errors(name), onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }) });
  return (
    <Stack component="form" gap="sm" onSubmit={(event: SubmitEvent) => { event.preventDefault(); act.mutate(); }}>
      <Text fw={600} size="sm">{says.groups.budget}</Text>
      <NumberInput label={says.rounds} {...number("most_rounds")} required />
      <NumberInput label={says.labellings} description={says.noLimit} {...number("most_labellings")} />
      <NumberInput label={says.patience} {...number("patience_minutes")} required />
      <Text fw={600} size="sm" mt="xs">{says.groups.select}</Text>
      <NativeSelect label={says.policy} {...text("policy")} data={Object.entries(says.policies).map(([value, label]) => ({ value, label }))} />
      <NumberInput label={says.size} {...number("size")} required />
      <NumberInput label={says.perProblem} description={says.noLimit} {...number("per_problem")} />
      <NumberInput label={says.share} {...number("share", "wrong_share")} min={0} max={100} suffix=" %" required />
      <NumberInput label={says.least} {...number("least_candidates")} required />
      <NumberInput label={says.overlap} {...number("overlap")} max={100} required />
      <Text fw={600} size="sm" mt="xs">{says.groups.train}</Text>
      <TextInput label={says.base} description={says.baseHint} {...text("base")} />
      <NumberInput label={says.epochs} {...number("epochs", "training")} max={100} />
      <Text fw={600} size="sm" mt="xs">{says.groups.news}</Text>
      <TextInput label={says.webhook} description={says.webhookHint} {...text("webhook_url")} inputMode="url" />
      {pilot.webhook_secret && <TextInput label={says.secret} description={says.secretHint} value={pilot.webhook_secret} readOnly />}
      <Textarea label={says.emails} {...text("emails")} autosize minRows={2} />
      {rest && <Problem error={rest} />}
      <Button type="submit" loading={act.isPending}>{says.save}</Button>
      <Text size="xs" c="dimmed" role="status">{act.isSuccess ? says.saved : says.inForce}</Text>
    </Stack>
  );
}
