import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { PhaseSettings } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useForm } from "@/shared/useForm";
import classes from "./campaign.module.css";
import { loopQuery } from "./loop/loop";
import { says } from "./strings";
import { useChange } from "./useChange";

type Status = NonNullable<PhaseSettings["status"]>;
const NEXT: Record<Status, Exclude<Status, "draft">[]> = {
  draft: ["running", "archived"],
  running: ["paused", "closed"],
  paused: ["running", "closed"],
  closed: ["running", "archived"],
  archived: ["closed"],
};

/** Start, pause, close, archive: each says first what it will affect. And clone. */
export function PhaseMoves({ phase }: { phase: PhaseSettings }) {
  const [isCloning, setIsCloning] = useState(false);
  const change = useChange(phase);
  const due = useQuery(loopQuery(phase.id)).data?.due.act;
  const status = phase.status;
  // The loop's next act is the one to go on with, where there is one for staff.
  const isNext = (next: Status) => next === "running" && status !== "closed" && (due === null || due === "label");
  return (
    <>
      <div className={classes.acts}>
        {NEXT[status].map((next) => (
          <Button
            key={next}
            size="compact-sm"
            variant={isNext(next) ? "filled" : "default"}
            loading={change.isPending}
            onClick={() => change.offer({ status: next })}
          >
            {(next === "running" || status === "archived" ? says.moves.again[status] : undefined) ?? says.moves[next]}
          </Button>
        ))}
        <Button size="compact-sm" variant="default" aria-expanded={isCloning} onClick={() => setIsCloning(!isCloning)}>
          {says.moves.clone}
        </Button>
      </div>
      <div style={{ flexBasis: "100%" }}>
        {change.error && <Problem error={change.error} />}
        {change.question}
        {isCloning && <Clone phase={phase} />}
      </div>
    </>
  );
}

function Clone({ phase }: { phase: PhaseSettings }) {
  const [, go] = useLocation();
  const { form, text, flag } = useForm(
    { name: says.moves.copyOf(phase.name), with_members: true },
    (body) => dataOf(client.POST("/api/phases/{phase_id}/clone/", { params: { path: { phase_id: phase.id } }, body })),
    ({ id }) => go(`/phases/${id}/settings`),
  );
  return (
    <Panel>
      <Form {...form} className={classes.form}>
        <TextInput label={says.moves.cloneName} {...text("name")} required maxLength={100} />
        <Checkbox label={says.moves.withMembers} {...flag("with_members")} mb={8} />
        <Submit variant="default">{says.moves.cloneAct}</Submit>
      </Form>
    </Panel>
  );
}
