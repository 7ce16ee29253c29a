import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { Phase } from "@/api/types";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { useForm } from "@/shared/useForm";
import classes from "./campaign.module.css";
import { says } from "./strings";

/** A new phase is a draft: annotators see it when it is started. */
export function NewPhase() {
  const [, go] = useLocation();
  const { form, act, text } = useForm(
    { name: "", kind: "solutions" as NonNullable<Phase["kind"]> },
    (body) => dataOf(client.POST("/api/phases/", { body: { ...body, status: "draft" } })),
    ({ id }) => go(`/phases/${id}/settings`),
  );
  return (
    <Panel title={says.phases.create}>
      <Form {...form} className={classes.form}>
        <TextInput label={says.phases.name} {...text("name")} required maxLength={100} />
        <NativeSelect label={says.phases.kind} {...text("kind")} data={options(says.phases.kinds)} />
        <Button type="submit" loading={act.isPending}>{says.phases.make}</Button>
      </Form>
    </Panel>
  );
}
