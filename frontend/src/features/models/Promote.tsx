import { Text, TextInput } from "@mantine/core";
import { client, dataOf } from "@/api/client";
import type { RewardModelDetail } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Notice } from "@/shared/Notice";
import { useForm } from "@/shared/useForm";
import classes from "./models.module.css";
import { says } from "./strings";

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
            <strong>{says.heldBack}.</strong> {model.obstacle}
          </Text>
        </Notice>
      )}
      {model.compared.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {says.besideCurrent}
          </Text>
          <ul className={classes.sentences}>
            {model.compared.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Text size="xs" c="dimmed">
            {says.promotionRule}
          </Text>
        </div>
      )}
      {isHeldBack && (
        <TextInput label={says.why} description={says.whyHint} required maxLength={1000} {...text("reason")} />
      )}
      <Submit variant={isHeldBack ? "default" : "filled"}>{isHeldBack ? says.insist : says.promote}</Submit>
    </Form>
  );
}
