import { useQuery } from "@tanstack/react-query";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { canStart, PhaseCard } from "./PhaseCard";
import classes from "./PhasesPage.module.css";
import { says } from "./strings";

export default function PhasesPage() {
  const phases = useQuery(phasesQuery);
  return (
    <div className={classes.page}>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={phases}>
        {(all) => {
          const first = all.find(canStart);
          if (all.length === 0) return <p className="dim">{says.empty}</p>;
          return all.map((phase) => <PhaseCard key={phase.id} phase={phase} isFirst={phase === first} />);
        }}
      </Loaded>
    </div>
  );
}
