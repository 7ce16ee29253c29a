import { Box, Button, Checkbox, Group, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { useLocation } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { ByName, PhaseSettings } from "@/api/types";
import { arrive, useTitle } from "@/shared/page/arrival";
import { options } from "@/shared/forms/choices";
import { lazily } from "@/shared/page/Contained";
import { Form } from "@/shared/forms/Form";
import { Loaded, NotFound, Problem, Waiting } from "@/shared/page/Loaded";
import { PageTabs } from "@/shared/page/PageTabs";
import { BackLink, Panel, Dim } from "@/shared/page/Panel";
import { StatusBadge } from "@/shared/runs/runs";
import { useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { AgreementTab } from "./agreement/AgreementTab";
import { AutopilotTab } from "./autopilot/AutopilotTab";
import { isWord } from "@/shared/words/words";
import classes from "./campaign.module.css";
import { loopQuery } from "./loop/loop";
import { LoopStrip } from "./loop/LoopStrip";
import { PeopleTab } from "./members/PeopleTab";
import { RoundsTab } from "./rounds/RoundsTab";
import { SelectionsTab } from "./selections/SelectionsTab";
import { SettingsTab } from "./settings/SettingsTab";
import { useChange } from "./settings/useChange";

type Tab = [title: string, Tab: ComponentType<{ phase: PhaseSettings }>];
const TABS = {
  rounds: ["Rounds", RoundsTab],
  selections: ["Selections", SelectionsTab],
  // These two are loaded late: they import the charts.
  dashboard: ["Dashboard", lazily(() => import("./dashboard/DashboardTab"), <Waiting />)],
  people: ["People", PeopleTab],
  quality: ["Quality", lazily(() => import("./quality/QualityTab"), <Waiting />)],
  agreement: ["Agreement", AgreementTab],
  autopilot: ["Autopilot", AutopilotTab],
  settings: ["Settings", SettingsTab],
} satisfies ByName<Tab>;

export function PhasePage({ id, tab }: { id: string; tab: string }) {
  const [title, Tab] = isWord(TABS, tab) ? TABS[tab] : [];
  const settings = useQuery({
    ...reading("/api/phases/{phase_id}/settings/", { path: { phase_id: id } }),
    enabled: Tab !== undefined,
  });
  const user = useUser();
  useTitle(settings.data && title ? `${settings.data.name}, ${title}` : "Phases");
  if (Tab === undefined) return <NotFound />;
  return (
    <Loaded query={settings}>
      {(phase) => (
        <>
          <BackLink href="/phases">All phases</BackLink>
          <Group component="header" gap="sm" mb="xs" className={classes.head}>
            <Title order={1} size="h2" tabIndex={-1} ref={arrive}>
              <bdi>{phase.name}</bdi>
            </Title>
            <StatusBadge status={phase.status} />
            {user.is_admin && <PhaseMoves phase={phase} />}
          </Group>
          <Dim mb="sm">{drawsFrom(phase)}</Dim>
          <LoopStrip phase={phase.id} />
          <PageTabs
            name="Parts of the phase"
            tabs={Object.entries(TABS).map(([name, [text]]) => [
              name === "rounds" ? `/phases/${id}` : `/phases/${id}/${name}`,
              text,
            ])}
          />
          <Tab phase={phase} key={phase.id} />
        </>
      )}
    </Loaded>
  );
}

function drawsFrom({ sources, generators }: PhaseSettings): string {
  const said = (names: string[]) =>
    names.map((name) => (name === "" ? "solutions without a source" : `“${name}”`)).join(", ");
  return `Rounds draw from ${said(sources) || "the whole pool"}${generators.length ? `, by ${said(generators)} only` : ""}.`;
}

type Status = NonNullable<PhaseSettings["status"]>;
/** The states that a phase can go on to from where it is, and their names there. */
const NEXT: Record<Status, Partial<Record<Status, string>>> = {
  draft: { running: "Start", archived: "Archive" },
  running: { paused: "Pause", closed: "Close" },
  paused: { running: "Resume", closed: "Close" },
  closed: { running: "Reopen", archived: "Archive" },
  archived: { closed: "Unarchive" },
};

/** Buttons to start, pause, close, archive (each states its effects first), and clone. */
export function PhaseMoves({ phase }: { phase: PhaseSettings }) {
  const [isCloning, setIsCloning] = useState(false);
  const change = useChange(phase);
  const due = useQuery(loopQuery(phase.id)).data?.due.act;
  const status = phase.status;
  // Starting or resuming is the main button, unless the loop has another step due.
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
    (body) => client.POST("/api/phases/{phase_id}/clone/", { params: { path: { phase_id: phase.id } }, body }),
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
