import { NumberInput, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { client } from "@/api/client";
import type { Autopilot } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { Tiny } from "@/shared/page/Panel";
import { Submit } from "@/shared/forms/Submit";
import { numberOrNull } from "@/shared/forms/useForm";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { RoundFields, useSuitedPolicy, roundBody, roundValues } from "../selections/RoundFields";

/** The settings, as the form holds them. */
export function settingsOf(pilot: Autopilot) {
  const { base, webhook_url, least_candidates, most_rounds, patience_minutes, most_labellings, training } = pilot;
  return {
    ...roundValues(pilot),
    ...{ base, webhook_url, least_candidates, most_rounds, patience_minutes, most_labellings, training },
    emails: pilot.emails.join("\n"),
  };
}

/** `onEdit` hears whether there is something that is not saved. */
export function SettingsForm({ pilot, onEdit }: { pilot: Autopilot; onEdit: (isEdited: boolean) => void }) {
  const suited = useSuitedPolicy(pilot.phase);
  const { form, act, isEdited, ...fields } = useGuardedForm(
    () => settingsOf(pilot),
    ({ emails, ...wanted }) => {
      const addresses = emails.split("\n").map((line) => line.trim());
      return client.PATCH("/api/autopilots/{id}/", {
        params: { path: { id: pilot.phase } },
        body: { ...roundBody(wanted, suited), emails: addresses.filter(Boolean) },
      });
    },
  );
  const { values, set, error, text, amount } = fields;
  useEffect(() => onEdit(isEdited), [isEdited, onEdit]);
  return (
    <Form {...form}>
      <Part>Budget and patience</Part>
      <NumberInput label="Rounds at most" {...amount("most_rounds")} min={1} required />
      <NumberInput label="Labellings at most" description="Empty: no limit." {...amount("most_labellings")} min={1} />
      <NumberInput label="Minutes that a job may wait for a worker" {...amount("patience_minutes")} min={1} required />
      <Part>Its rounds</Part>
      <RoundFields form={fields} phase={pilot.phase} />
      <NumberInput label="Stop below this many picks" {...amount("least_candidates")} min={1} required />
      <Part>Training</Part>
      <TextInput
        label="Base model"
        description="A path or hub name. Empty: a small model made on the spot."
        {...text("base")}
      />
      <NumberInput
        label="Epochs"
        error={error("training")}
        value={values.training.epochs ?? ""}
        onChange={(epochs) => set({ training: { ...values.training, epochs: numberOrNull(epochs) ?? undefined } })}
        min={1}
        max={100}
      />
      <Part>Notifications</Part>
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
      <Tiny role="status">
        {act.isSuccess && !isEdited ? "Saved." : "A job in progress keeps the settings it started with."}
      </Tiny>
    </Form>
  );
}

function Part({ children }: { children: string }) {
  return (
    <Text fw={600} size="sm" mt="xs">
      {children}
    </Text>
  );
}
