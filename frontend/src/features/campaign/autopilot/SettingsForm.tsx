import { NumberInput, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { client } from "@/api/client";
import type { Autopilot, AutopilotSettings } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { RoundFields, useSuitedPolicy } from "../selections/RoundFields";
import { roundBody, roundValues, type RoundValues } from "../selections/roundForm";
import { numberOrNull, type Filled } from "@/shared/useForm";
import { useGuardedForm } from "@/shared/useGuardedForm";

interface Fields extends RoundValues {
  base: string;
  webhook_url: string;
  least_candidates: Filled;
  most_rounds: Filled;
  patience_minutes: Filled;
  most_labellings: Filled;
  training: Filled;
  emails: string;
}

function fieldsOf(pilot: Autopilot): Fields {
  return {
    ...roundValues(pilot),
    base: pilot.base,
    webhook_url: pilot.webhook_url,
    least_candidates: pilot.least_candidates,
    most_rounds: pilot.most_rounds,
    patience_minutes: pilot.patience_minutes,
    most_labellings: pilot.most_labellings ?? "",
    training: pilot.training.epochs ?? "",
    emails: pilot.emails.join("\n"),
  };
}

function bodyOf(pilot: Autopilot, fields: Fields, suited: "convincing" | "uniform"): AutopilotSettings {
  return {
    ...roundBody(fields, suited),
    base: fields.base,
    webhook_url: fields.webhook_url,
    least_candidates: Number(fields.least_candidates),
    most_rounds: Number(fields.most_rounds),
    patience_minutes: Number(fields.patience_minutes),
    most_labellings: numberOrNull(fields.most_labellings),
    training: { ...pilot.training, epochs: numberOrNull(fields.training) ?? undefined },
    emails: fields.emails
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  };
}

/** `onEdit` hears whether there is something that is not saved. */
export function SettingsForm({ pilot, onEdit }: { pilot: Autopilot; onEdit: (isEdited: boolean) => void }) {
  const suited = useSuitedPolicy();
  const { form, act, isEdited, ...fields } = useGuardedForm<Fields, unknown>(
    () => fieldsOf(pilot),
    (wanted) =>
      client.PATCH("/api/autopilots/{id}/", {
        params: { path: { id: pilot.phase } },
        body: bodyOf(pilot, wanted, suited),
      }),
  );
  const { text, number } = fields;
  useEffect(() => onEdit(isEdited), [isEdited, onEdit]);
  return (
    <Form {...form}>
      <Text fw={600} size="sm">
        Budget and patience
      </Text>
      <NumberInput label="Rounds at most" {...number("most_rounds")} min={1} required />
      <NumberInput label="Labellings at most" description="Empty: no limit." {...number("most_labellings")} min={1} />
      <NumberInput label="Minutes that a job may wait for a worker" {...number("patience_minutes")} min={1} required />
      <Text fw={600} size="sm" mt="xs">
        Its rounds
      </Text>
      <RoundFields form={fields} phase={pilot.phase} />
      <NumberInput label="Stop below this many picks" {...number("least_candidates")} min={1} required />
      <Text fw={600} size="sm" mt="xs">
        Training
      </Text>
      <TextInput
        label="Base model"
        description="A path or hub name. Empty: a small model made on the spot."
        {...text("base")}
      />
      <NumberInput label="Epochs" {...number("training")} min={1} max={100} />
      <Text fw={600} size="sm" mt="xs">
        Notifications
      </Text>
      <TextInput
        label="Webhook"
        description="Receives each act as signed JSON."
        {...text("webhook_url")}
        inputMode="url"
      />
      {pilot.webhook_secret && (
        <TextInput
          label="Signing secret"
          description="X-Stepmark-Signature is sha256= and the HMAC-SHA256 of timestamp, a full stop, and the body."
          value={pilot.webhook_secret}
          readOnly
        />
      )}
      <Textarea label="E-mail addresses, one per line" {...text("emails")} autosize minRows={2} />
      <Submit variant="default">Save</Submit>
      <Text size="xs" c="dimmed" role="status">
        {act.isSuccess && !isEdited ? "Saved." : "A job in progress keeps the settings it started with."}
      </Text>
    </Form>
  );
}
