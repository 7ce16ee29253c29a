import { Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { client } from "@/api/client";
import type { Selection } from "@/api/types";
import { Form } from "@/shared/Form";
import { OpenRound, useOpenRound } from "@/shared/OpenRound";
import { staffStrings } from "@/shared/staffStrings";
import { useForm } from "@/shared/useForm";
import { PutUpFields } from "./RoundFields";
import { putUpBody, roundValues } from "./roundForm";
import { says } from "./strings";

interface Props {
  selection: Selection;
  name: string;
  className?: string | undefined;
  /** What else can be done with the selection. */
  children?: ReactNode;
}

/** Puts a selection up as the next round, as it was asked for unless that is changed here. */
export function PublishForm({ selection, name, className, children }: Props) {
  const { overlap, gold_set } = roundValues(selection);
  const form = useForm({ overlap, gold_set }, (wanted) =>
    client.POST("/api/publications/", { body: { selection: selection.id, ...putUpBody(wanted) } }),
  );
  const open = useOpenRound(selection.phase);
  const { picked = 0 } = selection.summary;
  const obstacle = open ? staffStrings.rounds.closeFirst : picked === 0 ? says.nothing : null;
  return (
    <Form {...form.form} className={className}>
      {picked > 0 && selection.size !== null && picked < selection.size && (
        <Text size="sm">{says.fewer(picked, selection.size)}</Text>
      )}
      {picked > 0 && (
        <PutUpFields overlap={form.number("overlap")} gold={form.text("gold_set")} phase={selection.phase} />
      )}
      {open && <OpenRound round={open} />}
      <div style={{ display: "flex", flexWrap: "wrap", gap: "0.75rem", alignItems: "start" }}>
        <Button type="submit" loading={form.act.isPending} disabled={obstacle !== null}>
          {name}
        </Button>
        {children}
      </div>
      {obstacle && (
        <Text size="sm" c="dimmed">
          {obstacle}
        </Text>
      )}
    </Form>
  );
}
