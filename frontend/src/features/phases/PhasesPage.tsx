import { useQuery } from "@tanstack/react-query";
import type { Phase } from "@/api/types";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { OwnProgress } from "@/shared/session/OwnProgress";
import { PageTitle } from "@/shared/page/PageTitle";
import { takeKeyboard } from "@/shared/page/keyboard";
import { phasesQuery } from "@/shared/session/phases";
import { strings } from "@/shared/words/strings";
import { ButtonLink } from "@/shared/ui/Button";
import { obstacle } from "@/work/phases";
import { Answers } from "@/work/questions/Answers";
import classes from "./PhasesPage.module.css";

/** The annotator's phases, the one labelled in last first; Enter starts it. */
export default function PhasesPage() {
  const query = useQuery(phasesQuery);
  return (
    <div className={classes.page}>
      <PageTitle
        title="Your work"
        lead="Pick a phase. You rate a solution step by step, until its end or its first mistake."
      />
      <Loaded query={query}>
        {(phases) => {
          const first = phases.find((phase) => obstacle(phase) === null);
          if (phases.length === 0)
            return (
              <p className="dim">
                No phase is open to you at the moment. A phase that you were added to appears here once it starts; if
                there is none, ask an admin.
              </p>
            );
          return phases.map((phase) => <PhaseCard key={phase.id} phase={phase} isFirst={phase === first} />);
        }}
      </Loaded>
    </div>
  );
}

/** `isFirst`: has the keyboard, so that Enter starts it. */
function PhaseCard({ phase, isFirst }: { phase: Phase; isFirst: boolean }) {
  const reason = obstacle(phase);
  const isScreening = phase.screening === "pending";
  return (
    <article className={classes.card}>
      <div className={classes.about}>
        <h2 className="title-small">{phase.name}</h2>
        <p className="small dim">
          {phase.kind === "solutions" ? "Whole solutions" : "Alternatives"}
          {phase.open_round && ` · ${strings.phases.round(phase.open_round.number)}`}
        </p>
      </div>
      <div className={classes.counts}>
        {phase.is_member && <OwnProgress phase={phase.id} />}
        <Answers phase={phase.id} />
        {phase.compares && (
          <ButtonLink href={`/label/${phase.id}/differences`} size="small" look="plain">
            Where you differed
          </ButtonLink>
        )}
        {isScreening && reason === null && (
          <p className={classes.screening}>Screening first: a set of tasks that experts have also labelled.</p>
        )}
      </div>
      <div className={classes.start}>
        {reason === null ? (
          <ButtonLink
            href={`/label/${phase.id}`}
            size="large"
            ref={isFirst ? takeKeyboard : undefined}
            className={classes.go}
          >
            {isScreening ? "Start the screening" : "Start labelling"}
          </ButtonLink>
        ) : (
          <p className={phase.screening === "failed" || phase.is_paused ? "small" : "small dim"}>{reason}</p>
        )}
        {isFirst && <p className={classes.hint}>Enter starts the first one</p>}
      </div>
      {phase.instructions && (
        <details className={classes.instructions}>
          <summary>{strings.label.guidelines}</summary>
          <MathText text={phase.instructions} isProse />
        </details>
      )}
    </article>
  );
}
