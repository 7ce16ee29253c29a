import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { useGuardedForm } from "@/shared/useGuardedForm";
import { RoundFields, useSuitedPolicy } from "./RoundFields";
import { ROUND_DEFAULTS, roundBody } from "./roundForm";

/** Asks for a selection; its page is the preview. */
export function SelectionForm({ phase }: { phase: string }) {
  const [, go] = useLocation();
  const suited = useSuitedPolicy();
  const form = useGuardedForm(
    ROUND_DEFAULTS,
    (wanted) => dataOf(client.POST("/api/selections/", { body: { phase, ...roundBody(wanted, suited) } })),
    (made) => go(`/selections/${made.id}`),
  );
  return (
    <Form {...form.form}>
      <RoundFields form={form} phase={phase} />
      <Submit variant="default">Select</Submit>
    </Form>
  );
}
