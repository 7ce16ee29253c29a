import { Box, Button, Checkbox, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { PhaseSettings } from "@/api/types";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { Submit } from "@/shared/Submit";
import { useForm } from "@/shared/useForm";
import classes from "./campaign.module.css";
import { loopQuery } from "./loop/loop";
import { useChange } from "./useChange";

type Status = NonNullable<PhaseSettings["status"]>;
/** What a phase can go on to from where it is, and what that is called there. */
const NEXT: Record<Status, Partial<Record<Status, string>>> = {
  draft: { running: "Start", archived: "Archive" },
  running: { paused: "Pause", closed: "Close" },
  paused: { running: "Resume", closed: "Close" },
  closed: { running: "Reopen", archived: "Archive" },
  archived: { closed: "Unarchive" },
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
      <Group gap="xs" ml="auto">
        {options(NEXT[status]).map(({ value: next, label }) => (
          <Button
            key={next}
            size="compact-sm"
            variant={isNext(next) ? "filled" : "default"}
            loading={change.isPending}
            onClick={() => change.offer({ status: next })}
          >
            {label}
          </Button>
        ))}
        <Button size="compact-sm" variant="default" aria-expanded={isCloning} onClick={() => setIsCloning(!isCloning)}>
          Clone
        </Button>
      </Group>
      <Box flex="1 1 100%">
        {change.error && <Problem error={change.error} />}
        {change.question}
        {isCloning && <Clone phase={phase} />}
      </Box>
    </>
  );
}

function Clone({ phase }: { phase: PhaseSettings }) {
  const [, go] = useLocation();
  const { form, text, flag } = useForm(
    { name: `${phase.name} (copy)`, with_members: true },
    (body) => dataOf(client.POST("/api/phases/{phase_id}/clone/", { params: { path: { phase_id: phase.id } }, body })),
    ({ id }) => go(`/phases/${id}/settings`),
  );
  return (
    <Panel>
      <Form {...form} className={classes.form}>
        <TextInput label="Name of the copy" {...text("name")} required maxLength={100} />
        <Checkbox label="With the same people" {...flag("with_members")} mb={8} />
        <Submit variant="default">Create copy</Submit>
      </Form>
    </Panel>
  );
}
