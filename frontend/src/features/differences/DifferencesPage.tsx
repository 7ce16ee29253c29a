import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { reading } from "@/api/reading";
import type { OwnDifference } from "@/api/types";
import { RatedBy } from "@/rating/RatedBy";
import { plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { SourceButton } from "@/rating/SourceButton";
import { PageTitle } from "@/shared/page/PageTitle";
import { Asked } from "@/shared/trace/Asked";
import { StepShown } from "@/shared/trace/StepShown";
import { RestOfParts } from "@/shared/trace/rest";
import { strings } from "@/shared/words/strings";
import { ButtonLink } from "@/shared/ui/Button";
import { loadPartOf } from "@/work/claim";
import { Time } from "@/shared/words/Time";
import classes from "./differences.module.css";

const SOURCES = { ruling: "An expert’s ruling", consensus: "Most others", experts: "Experts" };

/** The annotator's own labellings in closed rounds that differ from consensus, rulings and gold, if the phase shows them. */
export default function DifferencesPage({ phase }: { phase: string }) {
  const found = useQuery(reading("/api/phases/{phase_id}/differences/", { path: { phase_id: phase } }));
  return (
    <div className={classes.page}>
      <PageTitle
        title="Where you differed"
        lead="Your last labellings in rounds that are closed, beside what was agreed on. The first step that differs is shown."
      />
      <Loaded query={found}>
        {({ compared, differing, differences }) => (
          <>
            <p>
              {compared === 0
                ? "There is nothing to compare yet."
                : differing === 0
                  ? `You agreed on all ${plural(compared, "task")}.`
                  : `You differed on ${differing} of ${plural(compared, "task")}.`}{" "}
              {differing > differences.length && `These are the newest ${differences.length}.`}
            </p>
            {differences.length > 0 && <SourceButton />}
            {differences.map((each) => (
              <Compared key={each.id} difference={each} />
            ))}
          </>
        )}
      </Loaded>
      <ButtonLink href="/" look="plain">
        {strings.label.backToPhases}
      </ButtonLink>
    </div>
  );
}

function Compared({ difference }: { difference: OwnDifference }) {
  const { statement, steps, turns, markup, step, source, given, expected, round_number, submitted_at } = difference;
  const before = steps.slice(0, step);
  const { assignment } = difference;
  const loadPart = useMemo(() => (assignment === null ? null : loadPartOf(assignment)), [assignment]);
  return (
    <RestOfParts value={loadPart}>
      <article className={classes.compared}>
        <header className={classes.head}>
          <h2 className="title-small">{`${strings.phases.round(round_number)}, step ${step + 1}`}</h2>
          <span className="small dim">
            <Time at={submitted_at} />
          </span>
        </header>
        <Asked statement={statement} markup={difference.statement_markup} conversation={difference.conversation} />
        {before.length > 0 && (
          <details>
            <summary>{before.length === 1 ? "The step before" : `The ${before.length} steps before`}</summary>
            {before.map((text, index) => (
              <StepShown key={index} text={text} turn={turns?.[index]} step={index} markup={markup} />
            ))}
          </details>
        )}
        <div className={classes.step}>
          <StepShown text={steps[step] ?? ""} turn={turns?.[step]} step={step} markup={markup} />
        </div>
        <div className={classes.rated}>
          <RatedBy who="You" rating={given[step]} />
          <RatedBy who={SOURCES[source]} rating={expected[step]} />
        </div>
      </article>
    </RestOfParts>
  );
}
