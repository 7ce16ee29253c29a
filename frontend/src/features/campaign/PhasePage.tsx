import { Anchor, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ComponentType } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { LoopStrip } from "@/shared/loop/LoopStrip";
import { PageTabs } from "@/shared/PageTabs";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { Waiting } from "@/shared/Waiting";
import { AgreementTab } from "./AgreementTab";
import classes from "./campaign.module.css";
import { PeopleTab } from "./PeopleTab";
import { PhaseMoves } from "./PhaseMoves";
import { RoundsTab } from "./rounds/RoundsTab";
import { SettingsTab } from "./settings/SettingsTab";
import { PhaseSources } from "./sources";
import { says } from "./strings";

// They bring the charts.
const QualityTab = lazy(() => import("./QualityTab"));
const DashboardTab = lazy(() => import("./dashboard/DashboardTab"));

const TABS: Record<keyof typeof says.tabs, ComponentType<{ phase: PhaseSettings }>> = {
  rounds: RoundsTab,
  dashboard: DashboardTab,
  people: PeopleTab,
  quality: QualityTab,
  agreement: AgreementTab,
  settings: SettingsTab,
};

export function PhasePage({ id, tab }: { id: string; tab: string }) {
  const settings = useQuery(reading("/api/phases/{phase_id}/settings/", { path: { phase_id: id } }));
  const user = useUser();
  const Tab = TABS[tab in TABS ? (tab as keyof typeof TABS) : "rounds"];
  return (
    <Loaded query={settings}>
      {(phase) => (
        <>
          <Anchor component={Link} href="/phases" size="sm">
            {says.phases.back}
          </Anchor>
          <header className={classes.head}>
            <Title order={1} size="h2">
              <bdi>{phase.name}</bdi>
            </Title>
            <StatusBadge status={phase.status} />
            {user.is_admin && <PhaseMoves phase={phase} />}
          </header>
          <PhaseSources phase={phase} />
          <LoopStrip phase={phase.id} />
          <PageTabs
            name={says.phases.tabs}
            tabs={Object.entries(says.tabs).map(([name, title]) => [
              name === "rounds" ? `/phases/${id}` : `/phases/${id}/${name}`,
              title,
            ])}
          />
          <Suspense fallback={<Waiting />}>
            <Tab phase={phase} key={phase.id} />
          </Suspense>
        </>
      )}
    </Loaded>
  );
}
