import { Text, TextInput } from "@mantine/core";
import { client, dataOf } from "@/api/client";
import type { RewardModelDetail } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Notice } from "@/shared/Notice";
import { useForm } from "@/shared/useForm";
import classes from "./models.module.css";

/** Makes the model current; what speaks against it is said first, and overridden with a reason only. */
export function Promote({ model }: { model: RewardModelDetail }) {
  const isHeldBack = model.obstacle !== "";
  const { form, text } = useForm({ reason: "" }, ({ reason }) =>
    dataOf(
      client.POST("/api/reward-models/{id}/promote/", {
        params: { path: { id: model.id } },
        body: { reason: reason.trim(), is_override: isHeldBack },
      }),
    ),
  );
  return (
    <Form {...form} className={classes.promote}>
      {isHeldBack && (
        <Notice tone="unsure">
          <Text size="sm">
            <strong>Held back.</strong> {model.obstacle}
          </Text>
        </Notice>
      )}
      {model.compared.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Beside the current model
          </Text>
          <ul className={classes.sentences}>
            {model.compared.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Text size="xs" c="dimmed">
            Only a fall beyond both its tolerance and the noise (half the 95 % interval of the difference) holds a model
            back.
          </Text>
        </div>
      )}
      {isHeldBack && (
        <TextInput
          label="Why"
          description="Kept in the history and the audit log."
          required
          maxLength={1000}
          {...text("reason")}
        />
      )}
      <Submit variant={isHeldBack ? "default" : "filled"}>
        {isHeldBack ? "Make it current anyway" : "Make current"}
      </Submit>
    </Form>
  );
}
