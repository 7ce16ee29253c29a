import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { PhaseSettings } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { useUser } from "@/shared/session";
import classes from "../campaign.module.css";
import { roundsQuery } from "../queries";
import { says } from "../strings";
import { NextRound } from "./NextRound";
import { NewScreening } from "./NewScreening";
import { RoundCard } from "./RoundCard";

export function RoundsTab({ phase }: { phase: PhaseSettings }) {
  const rounds = useQuery(roundsQuery(phase.id));
  const user = useUser();
  const isOver = phase.status === "closed" || phase.status === "archived";
  return (
    <Loaded query={rounds}>
      {(list) => (
        <div className={classes.stack}>
          {list.length === 0 && <Text c="dimmed">{says.rounds.none}</Text>}
          {list.map((round) => <RoundCard key={round.id} round={round} overlap={phase.overlap ?? 1} />)}
          {!isOver && <NextRound phase={phase} number={list.filter(({ number }) => number >= 0).length} hasOpen={list.some(({ number, status }) => number >= 0 && status === "open")} />}
          {!isOver && user.is_admin && phase.kind === "solutions" && !list.some(({ number }) => number < 0) && <NewScreening phase={phase} />}
        </div>
      )}
    </Loaded>
  );
}
