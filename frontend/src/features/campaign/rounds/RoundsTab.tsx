import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { Pager } from "@/shared/Pager";
import { useUser } from "@/shared/session";
import classes from "../campaign.module.css";
import { says } from "../strings";
import { NextRound } from "./NextRound";
import { NewScreening } from "./NewScreening";
import { RoundCard } from "./RoundCard";

const LOOK_AGAIN_MS = 5_000;

/** The rounds of a phase, the newest first; and the next one. */
export function RoundsTab({ phase }: { phase: PhaseSettings }) {
  const [page, setPage] = useState(1);
  const rounds = useQuery({ ...reading("/api/rounds/", { query: { phase: phase.id, page } }), placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS });
  const user = useUser();
  const isOver = phase.status === "closed" || phase.status === "archived";
  return (
    <Loaded query={rounds}>
      {(list) => (
        <div className={classes.stack}>
          {list.results.length === 0 && <Text c="dimmed">{says.rounds.none}</Text>}
          {list.results.map((round) => <RoundCard key={round.id} round={round} overlap={phase.overlap ?? 1} />)}
          <Pager page={page} list={list} onPage={setPage} />
          {!isOver && !list.previous && <NextRound phase={phase} isFirst={list.results.every(({ number }) => number < 0)} hasOpen={list.results.some(({ number, status }) => number >= 0 && status === "open")} />}
          {!isOver && !list.next && user.is_admin && phase.kind === "solutions" && list.results.every(({ number }) => number >= 0) && <NewScreening phase={phase} />}
        </div>
      )}
    </Loaded>
  );
}
