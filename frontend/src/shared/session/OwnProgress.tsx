import { useQuery } from "@tanstack/react-query";
import { count, duration, percent } from "@/shared/words/format";
import classes from "./OwnProgress.module.css";
import { progressQuery } from "./phases";
import { strings } from "@/shared/words/strings";

const says = strings.progress;

/**
 * The signed-in annotator's own figures in a phase: how much, how fast, and how well: today, this round, the pace, and the
 * agreement with experts once there is enough of it. `isTold`: each submission's answer brings newer ones.
 */
export function OwnProgress({ phase, isTold = false }: { phase: string; isTold?: boolean }) {
  const { data } = useQuery({ ...progressQuery(phase), staleTime: isTold ? Infinity : 30_000 });
  if (data === undefined) return <dl className={classes.facts} aria-hidden />; // keeps their place
  const facts: [name: string, value: string, why?: string][] = [
    [says.today, count(data.today)],
    ...(data.round_number === null
      ? []
      : ([[says.round, count(data.this_round), says.roundWhy(data.round_done, data.round_wanted)]] as typeof facts)),
    [says.total, count(data.total)],
    ...(data.median_ms === null ? [] : ([[says.pace, duration(data.median_ms), says.paceWhy]] as typeof facts)),
    ...(data.quality === null ? [] : ([[says.quality, percent(data.quality), says.qualityWhy]] as typeof facts)),
  ];
  return (
    <dl className={classes.facts} aria-label={says.title}>
      {facts.map(([name, value, why]) => (
        <div key={name} title={why}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
