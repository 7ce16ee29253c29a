import { Button, NativeSelect, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { Phase } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { useAct } from "@/shared/useAct";
import classes from "./campaign.module.css";
import { says } from "./strings";

/** A new phase is a draft: annotators see it when it is started. */
export function NewPhase() {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<NonNullable<Phase["kind"]>>("solutions");
  const [, go] = useLocation();
  const make = useAct(
    () => dataOf(client.POST("/api/phases/", { body: { name, kind, status: "draft" } })),
    ({ id }) => go(`/phases/${id}/settings`),
  );
  return (
    <Panel>
      <Title order={2} size="h5" mb="sm">{says.phases.create}</Title>
      <Form act={make} fields={["name"]} className={classes.form}>
        <TextInput label={says.phases.name} value={name} onChange={(event) => setName(event.currentTarget.value)} error={errorOf(make.error)("name")} required maxLength={100} />
        <NativeSelect label={says.phases.kind} value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)} data={options(says.phases.kinds)} />
        <Button type="submit" loading={make.isPending}>{says.phases.make}</Button>
      </Form>
    </Panel>
  );
}
