import { Progress, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { reading, readingAll } from "@/api/reading";
import type { Phase, Round } from "@/api/types";
import { percent } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { PageTitle } from "@/shared/PageTitle";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { usePages } from "@/shared/usePages";
import classes from "./campaign.module.css";
import { NewPhase } from "./NewPhase";
import { says } from "./strings";

const LOOK_AGAIN_MS = 10_000;

export function PhaseList() {
  const { list } = usePages({}, (query) => reading("/api/phases/", { query }));
  const rounds =
    useQuery({ ...readingAll("/api/rounds/", { query: { status: "open" } }), refetchInterval: LOOK_AGAIN_MS }).data ??
    [];
  return (
    <>
      <PageTitle title={says.phases.title} lead={says.phases.lead} />
      <Pages {...list} none={says.phases.empty}>
        {(phases) =>
          phases.map((phase) => (
            <PhaseRow key={phase.id} phase={phase} rounds={rounds.filter((round) => round.phase === phase.id)} />
          ))
        }
      </Pages>
      {useUser().is_admin && <NewPhase />}
    </>
  );
}

function PhaseRow({ phase, rounds }: { phase: Phase; rounds: Round[] }) {
  return (
    <article className={classes.row}>
      <div>
        <Title order={2} size="h5">
          <Link href={`/phases/${phase.id}`} className={classes.name}>
            <bdi>{phase.name}</bdi>
          </Link>
        </Title>
        <Text size="sm" c="dimmed">
          {says.phases.kindNames[phase.kind]}
        </Text>
      </div>
      <div>
        {rounds.length === 0 && (
          <Text size="sm" c="dimmed">
            {says.phases.noRound}
          </Text>
        )}
        {rounds.map((round) => (
          <RoundProgress key={round.id} round={round} />
        ))}
      </div>
      <StatusBadge status={phase.status} />
    </article>
  );
}

/** How far a round is; a screening has no end, as every newcomer labels it. */
export function RoundProgress({ round }: { round: Round }) {
  const words = `${says.phases.round(round.number)}: ${says.phases.progress(round.labellings_done, round.labellings_wanted)}`;
  if (round.number < 0) return <Text size="sm">{says.phases.round(round.number)}</Text>;
  const share = round.labellings_done / Math.max(round.labellings_wanted, 1);
  return (
    <>
      <Text size="sm" mb={5} className={classes.between}>
        <span>{words}</span>
        <b>{percent(share)}</b>
      </Text>
      <Progress value={100 * share} aria-label={words} />
    </>
  );
}
