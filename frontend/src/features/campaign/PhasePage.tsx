import { Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { arrive, useTitle } from "@/shared/arrival";
import { BackLink } from "@/shared/BackLink";
import { lazily } from "@/shared/Contained";
import { Loaded } from "@/shared/Loaded";
import { NotFound } from "@/shared/NotFound";
import { PageTabs } from "@/shared/PageTabs";
import { Quiet } from "@/shared/Quiet";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { Waiting } from "@/shared/Waiting";
import { AgreementTab } from "./AgreementTab";
import { AutopilotTab } from "./autopilot/AutopilotTab";
import classes from "./campaign.module.css";
import { LoopStrip } from "./loop/LoopStrip";
import { PeopleTab } from "./PeopleTab";
import { PhaseMoves } from "./PhaseMoves";
import { RoundsTab } from "./rounds/RoundsTab";
import { SelectionsTab } from "./selections/SelectionsTab";
import { SettingsTab } from "./settings/SettingsTab";

const TABS: Record<string, [title: string, Tab: ComponentType<{ phase: PhaseSettings }>]> = {
  rounds: ["Rounds", RoundsTab],
  selections: ["Selections", SelectionsTab],
  // These two bring the charts.
  dashboard: ["Dashboard", lazily(() => import("./DashboardTab"), <Waiting />)],
  people: ["People", PeopleTab],
  quality: ["Quality", lazily(() => import("./QualityTab"), <Waiting />)],
  agreement: ["Agreement", AgreementTab],
  autopilot: ["Autopilot", AutopilotTab],
  settings: ["Settings", SettingsTab],
};

export function PhasePage({ id, tab }: { id: string; tab: string }) {
  const [title, Tab] = Object.hasOwn(TABS, tab) ? (TABS[tab] ?? []) : [];
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
          <Group component="header" mb="md" className={classes.head}>
            <Title order={1} size="h2" tabIndex={-1} ref={arrive}>
              <bdi>{phase.name}</bdi>
            </Title>
            <StatusBadge status={phase.status} />
            {user.is_admin && <PhaseMoves phase={phase} />}
          </Group>
          <Quiet mb="sm">{drawsFrom(phase)}</Quiet>
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
