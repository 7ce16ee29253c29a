import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { OwnDifference } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { PageTitle } from "@/shared/PageTitle";
import { RatingTag, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { ButtonLink } from "@/shared/ui/Button";
import { Time } from "@/shared/Time";
import classes from "./differences.module.css";
import { says } from "./strings";

/** Where one's own labellings in closed rounds differ from the consensus, rulings and gold, as far as the phase shows it. */
export default function DifferencesPage({ phase }: { phase: string }) {
  const found = useQuery(reading("/api/phases/{phase_id}/differences/", { path: { phase_id: phase } }));
  return (
    <div className={classes.page}>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={found}>
        {({ compared, differing, differences }) => (
          <>
            <p>
              {compared === 0 ? says.nothing : says.compared(compared, differing)}{" "}
              {differing > differences.length && says.newest(differences.length)}
            </p>
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
  const { statement, steps, step, source, given, expected, round_number, submitted_at } = difference;
  const before = steps.slice(0, step);
  return (
    <article className={classes.compared}>
      <header className={classes.head}>
        <h2 className="title-small">{says.step(strings.phases.round(round_number), step + 1)}</h2>
        <span className="small dim">
          <Time at={submitted_at} />
        </span>
      </header>
      <MathText text={statement} />
      {before.length > 0 && (
        <details>
          <summary>{says.solution(before.length)}</summary>
          {before.map((text, index) => (
            <MathText key={index} text={text} />
          ))}
        </details>
      )}
      <div className={classes.step}>
        <MathText text={steps[step] ?? ""} />
      </div>
      <div className={classes.rated}>
        <Rated who={says.you} rating={given[step]} />
        <Rated who={says.sources[source]} rating={expected[step]} />
      </div>
    </article>
  );
}

/** No entry: the step was not reached. */
function Rated({ who, rating }: { who: string; rating: number | null | undefined }) {
  const word = rating === undefined ? null : ratingWord(rating, true);
  return (
    <span className="small">
      {who}: {word ? <RatingTag word={word} /> : says.notRated}
    </span>
  );
}
