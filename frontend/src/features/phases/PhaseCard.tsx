import { useEffect, useRef } from "react";
import type { Phase } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { OwnProgress } from "@/shared/OwnProgress";
import { strings } from "@/shared/strings";
import { ButtonLink } from "@/shared/ui/Button";
import { obstacle } from "@/work/obstacle";
import { Answers } from "@/work/questions/Answers";
import classes from "./PhasesPage.module.css";
import { says } from "./strings";

/** `isFirst`: has the keyboard, so that Enter starts it. */
export function PhaseCard({ phase, isFirst }: { phase: Phase; isFirst: boolean }) {
  const problem = obstacle(phase);
  const reason = problem && says[problem];
  const isScreening = phase.screening === "pending";
  const start = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isFirst) start.current?.focus();
  }, [isFirst]);
  return (
    <article className={classes.card}>
      <div className={classes.about}>
        <h2 className="title-small">{phase.name}</h2>
        <p className="small dim">
          {says.kinds[phase.kind]}
          {phase.open_round && ` · ${strings.phases.round(phase.open_round.number)}`}
        </p>
        {phase.instructions && (
          <details className={classes.instructions}>
            <summary>{strings.label.guidelines.title}</summary>
            <MathText text={phase.instructions} isProse />
          </details>
        )}
      </div>
      <div className={classes.counts}>
        {phase.is_member && <OwnProgress phase={phase.id} />}
        <Answers phase={phase.id} />
        {phase.compares && (
          <ButtonLink href={`/label/${phase.id}/differences`} size="small" look="plain">
            {says.differences}
          </ButtonLink>
        )}
        {isScreening && reason === null && <p className={classes.screening}>{says.screeningFirst}</p>}
      </div>
      <div className={classes.start}>
        {reason === null ? (
          <ButtonLink href={`/label/${phase.id}`} size="large" ref={start} className={classes.go}>
            {isScreening ? says.startScreening : says.start}
          </ButtonLink>
        ) : (
          <p className={phase.screening === "failed" || phase.is_paused ? "small" : "small dim"}>{reason}</p>
        )}
        {isFirst && <p className={classes.hint}>{says.enterHint}</p>}
      </div>
    </article>
  );
}
