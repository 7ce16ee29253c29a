import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { BackLink } from "@/shared/BackLink";
import { arrive, useTitle } from "@/shared/arrival";
import { lazily } from "@/shared/Contained";
import { Loaded } from "@/shared/Loaded";
import { LoopStrip } from "./loop/LoopStrip";
import { NotFound } from "@/shared/NotFound";
import { PageTabs } from "@/shared/PageTabs";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { Waiting } from "@/shared/Waiting";
import { AgreementTab } from "./AgreementTab";
import { AutopilotTab } from "./autopilot/AutopilotTab";
import classes from "./campaign.module.css";
import { PeopleTab } from "./PeopleTab";
import { PhaseMoves } from "./PhaseMoves";
import { RoundsTab } from "./rounds/RoundsTab";
import { SelectionsTab } from "./selections/SelectionsTab";
import { SettingsTab } from "./settings/SettingsTab";
import { PhaseSources } from "./sources";
import { says } from "./strings";

// They bring the charts.
const QualityTab = lazily(() => import("./QualityTab"), <Waiting />);
const DashboardTab = lazily(() => import("./dashboard/DashboardTab"), <Waiting />);

const TABS: Record<keyof typeof says.tabs, ComponentType<{ phase: PhaseSettings }>> = {
  rounds: RoundsTab,
  selections: SelectionsTab,
  dashboard: DashboardTab,
  people: PeopleTab,
  quality: QualityTab,
  agreement: AgreementTab,
  autopilot: AutopilotTab,
  settings: SettingsTab,
};

const isTab = (name: string): name is keyof typeof TABS => Object.hasOwn(TABS, name);

export function PhasePage({ id, tab }: { id: string; tab: string }) {
  return isTab(tab) ? <PhaseTab id={id} tab={tab} /> : <NotFound />;
}

function PhaseTab({ id, tab }: { id: string; tab: keyof typeof TABS }) {
  const settings = useQuery(reading("/api/phases/{phase_id}/settings/", { path: { phase_id: id } }));
  const user = useUser();
  const name = settings.data?.name;
  useTitle(name === undefined ? says.phases.title : `${name}, ${says.tabs[tab]}`);
  const Tab = TABS[tab];
  return (
    <Loaded query={settings}>
      {(phase) => (
        <>
          <BackLink href="/phases">All phases</BackLink>
          <header className={classes.head}>
            <Title order={1} size="h2" tabIndex={-1} ref={arrive}>
              <bdi>{phase.name}</bdi>
            </Title>
            <StatusBadge status={phase.status} />
            {user.is_admin && <PhaseMoves phase={phase} />}
          </header>
          <PhaseSources phase={phase} />
          <LoopStrip phase={phase.id} />
          <PageTabs
            name="Parts of the phase"
            tabs={Object.entries(says.tabs).map(([name, title]) => [
              name === "rounds" ? `/phases/${id}` : `/phases/${id}/${name}`,
              title,
            ])}
          />
          <Tab phase={phase} key={phase.id} />
        </>
      )}
    </Loaded>
  );
}
