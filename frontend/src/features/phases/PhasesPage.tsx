import { useQuery } from "@tanstack/react-query";
import type { Phase } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { useUser } from "@/shared/session";
import { lastPhase } from "@/work/lastPhase";
import { obstacle } from "@/work/obstacle";
import { PhaseCard } from "./PhaseCard";
import classes from "./PhasesPage.module.css";
import { says } from "./strings";

/** The phase worked in last comes first, and Enter starts it. */
export default function PhasesPage() {
  const query = useQuery(phasesQuery);
  const last = lastPhase(useUser().id);
  return (
    <div className={classes.page}>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={query}>
        {(all) => {
          const isLast = ({ id }: Phase) => id === last;
          const phases = [...all.filter(isLast), ...all.filter((phase) => !isLast(phase))];
          const first = phases.find((phase) => obstacle(phase) === null);
          if (all.length === 0) return <p className="dim">{says.empty}</p>;
          return phases.map((phase) => <PhaseCard key={phase.id} phase={phase} isFirst={phase === first} />);
        }}
      </Loaded>
    </div>
  );
}
