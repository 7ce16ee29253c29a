import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { Loaded } from "@/shared/Loaded";
import { AgreementFigure } from "./AgreementFigure";
import classes from "./dashboard.module.css";
import { DaysFigure, FirstErrorsFigure, FunnelFigure, MixFigure, StepTimesFigure } from "./figures";
import { PeopleFigure } from "./PeopleFigure";

const LOOK_AGAIN_MS = 60_000;

/** How the phase is going, to be looked at. Screening and hidden gold are left out. */
export default function DashboardTab({ phase }: { phase: PhaseSettings }) {
  const dashboard = useQuery({
    ...reading("/api/phases/{phase_id}/dashboard/", { path: { phase_id: phase.id } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <Loaded query={dashboard}>
      {(found) => (
        <>
          <AsOf query={dashboard} />
          {!found.is_counting && (
            <div className={classes.figures}>
              <FunnelFigure funnel={found.funnel} />
              <DaysFigure days={found.days} />
              <MixFigure mix={found.mix} />
              <FirstErrorsFigure steps={found.first_errors} />
              <StepTimesFigure times={found.step_times} />
              <PeopleFigure phase={phase.id} />
              <AgreementFigure phase={phase.id} />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
