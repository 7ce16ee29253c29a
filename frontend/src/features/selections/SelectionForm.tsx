import { Button, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useSearchParams } from "wouter";
import { client, dataOf } from "@/api/client";
import { Form } from "@/shared/Form";
import { phasesQuery } from "@/shared/phases";
import { RoundFields, useSuitedPolicy } from "@/shared/round/RoundFields";
import { ROUND_DEFAULTS, roundBody } from "@/shared/round/roundForm";
import { useForm } from "@/shared/useForm";
import { says } from "./strings";

/** Asks for a selection; its page is the preview. */
export function SelectionForm() {
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const phases = (useQuery(phasesQuery).data ?? []).filter(
    ({ status }) => status !== "closed" && status !== "archived",
  );
  const suited = useSuitedPolicy();
  const form = useForm(
    { phase: search.get("phase") ?? "", ...ROUND_DEFAULTS },
    (wanted) =>
      dataOf(
        client.POST("/api/selections/", {
          body: { phase: wanted.phase || (phases[0]?.id ?? ""), ...roundBody(wanted, suited) },
        }),
      ),
    (made) => go(`/selections/${made.id}`),
  );
  const phase = form.values.phase || (phases[0]?.id ?? "");
  return (
    <Form {...form.form}>
      <NativeSelect
        label={says.fields.phase}
        {...form.text("phase")}
        value={phase}
        data={phases.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {phase !== "" && <RoundFields form={form} phase={phase} />}
      <Button type="submit" loading={form.act.isPending} disabled={phase === ""}>
        {says.start}
      </Button>
      {phase === "" && (
        <Text size="sm" c="dimmed">
          {says.noPhase}
        </Text>
      )}
    </Form>
  );
}
