import { Button, NativeSelect, NumberInput, Text, Textarea, TextInput } from "@mantine/core";
import { client } from "@/api/client";
import type { Autopilot, AutopilotSettings } from "@/api/types";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { numberOrNull, useForm, type Filled } from "@/shared/useForm";
import { says } from "./strings";

function fieldsOf(pilot: Autopilot) {
  const { base = "", policy = "convincing", webhook_url = "", size = "", overlap = "", least_candidates = "", most_rounds = "", patience_minutes = "" } = pilot;
  const { per_problem, most_labellings, wrong_share = 0.8, training, emails = [] } = pilot;
  return {
    base, policy, webhook_url, size, overlap, least_candidates, most_rounds, patience_minutes, per_problem: per_problem ?? "", most_labellings: most_labellings ?? "",
    wrong_share: (Math.round(1000 * wrong_share) / 10) as Filled, training: (training?.epochs ?? "") as Filled, emails: emails.join("\n"),
  };
}

function bodyOf(pilot: Autopilot, { training: epochs, ...fields }: ReturnType<typeof fieldsOf>): AutopilotSettings {
  const { size, overlap, least_candidates, most_rounds, patience_minutes, wrong_share, per_problem, most_labellings, emails } = fields;
  return {
    ...fields, size: Number(size), overlap: Number(overlap), least_candidates: Number(least_candidates), most_rounds: Number(most_rounds), patience_minutes: Number(patience_minutes),
    wrong_share: Number(wrong_share) / 100, per_problem: numberOrNull(per_problem), most_labellings: numberOrNull(most_labellings),
    training: { ...pilot.training, epochs: numberOrNull(epochs) ?? undefined }, emails: emails.split("\n").map((line) => line.trim()).filter(Boolean),
  };
}

export function SettingsForm({ pilot }: { pilot: Autopilot }) {
  const { form, act, text, number } = useForm(() => fieldsOf(pilot), (fields) => client.PATCH("/api/autopilots/{id}/", { params: { path: { id: pilot.phase } }, body: bodyOf(pilot, fields) }));
  return (
    <Form {...form}>
      <Text fw={600} size="sm">{says.groups.budget}</Text>
      <NumberInput label={says.rounds} {...number("most_rounds")} min={1} required />
      <NumberInput label={says.labellings} description={says.noLimit} {...number("most_labellings")} min={1} />
      <NumberInput label={says.patience} {...number("patience_minutes")} min={1} required />
      <Text fw={600} size="sm" mt="xs">{says.groups.select}</Text>
      <NativeSelect label={says.policy} {...text("policy")} data={options(says.policies)} />
      <NumberInput label={says.size} {...number("size")} min={1} required />
      <NumberInput label={says.perProblem} description={says.noLimit} {...number("per_problem")} min={1} />
      <NumberInput label={says.share} {...number("wrong_share")} min={0} max={100} suffix=" %" required />
      <NumberInput label={says.least} {...number("least_candidates")} min={1} required />
      <NumberInput label={says.overlap} {...number("overlap")} min={1} max={100} required />
      <Text fw={600} size="sm" mt="xs">{says.groups.train}</Text>
      <TextInput label={says.base} description={says.baseHint} {...text("base")} />
      <NumberInput label={says.epochs} {...number("training")} min={1} max={100} />
      <Text fw={600} size="sm" mt="xs">{says.groups.news}</Text>
      <TextInput label={says.webhook} description={says.webhookHint} {...text("webhook_url")} inputMode="url" />
      {pilot.webhook_secret && <TextInput label={says.secret} description={says.secretHint} value={pilot.webhook_secret} readOnly />}
      <Textarea label={says.emails} {...text("emails")} autosize minRows={2} />
      <Button type="submit" loading={act.isPending}>{says.save}</Button>
      <Text size="xs" c="dimmed" role="status">{act.isSuccess ? says.saved : says.inForce}</Text>
    </Form>
  );
}
