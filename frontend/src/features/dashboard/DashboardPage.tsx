import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRoute } from "wouter";
import { client, dataOf } from "@/api/client";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { strings } from "@/shared/strings";
import { AgreementFigure } from "./AgreementFigure";
import classes from "./dashboard.module.css";
import { DaysFigure, FirstErrorsFigure, FunnelFigure, MixFigure, StepTimesFigure } from "./figures";
import { PeopleFigure } from "./PeopleFigure";
import { says } from "./strings";

/** The phase is part of the address, so that it can be linked to. */
export default function DashboardPage() {
  const [, navigate] = useLocation();
  const [, chosen] = useRoute<{ phase?: string }>("/dashboard/:phase?");
  const phases = useQuery(phasesQuery);
  return (
    <Loaded query={phases}>
      {({ results }) => {
        const phase = chosen?.phase ?? results[0]?.id;
        return (
          <>
            <PageTitle title={says.title} lead={says.lead}>
              <NativeSelect aria-label={says.phase} value={phase} onChange={(event) => navigate(`/dashboard/${event.currentTarget.value}`)}
                data={results.map(({ id, name }) => ({ value: id, label: name }))} />
            </PageTitle>
            {phase === undefined ? <Text c="dimmed">{strings.nothing}</Text> : <PhaseFigures key={phase} phase={phase} />}
          </>
        );
      }}
    </Loaded>
  );
}

function PhaseFigures({ phase }: { phase: string }) {
  const dashboard = useQuery({
    queryKey: ["dashboard", phase],
    queryFn: () => dataOf(client.GET("/api/phases/{phase_id}/dashboard/", { params: { path: { phase_id: phase } } })),
    refetchInterval: 60_000,
  });
  return (
    <Loaded query={dashboard}>
      {(found) => (
        <div className={classes.figures}>
          <FunnelFigure funnel={found.funnel} />
          <DaysFigure days={found.days} />
          <MixFigure mix={found.mix} />
          <FirstErrorsFigure steps={found.first_errors} />
          <StepTimesFigure times={found.step_times} />
          <PeopleFigure phase={phase} />
          <AgreementFigure phase={phase} />
        </div>
      )}
    </Loaded>
  );
}
