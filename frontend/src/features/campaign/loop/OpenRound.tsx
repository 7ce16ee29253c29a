import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Round } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { count, plural } from "@/shared/words/format";
import { Notice } from "@/shared/page/Loaded";
import { NotAmong } from "@/shared/runs/NotAmong";
import { actsIn, useUser } from "@/shared/session/session";

const LOOK_AGAIN_MS = 5_000;

/** The phase's open round, screening aside: null if there is none, undefined while loading. */
export function useOpenRound(phase: string): Round | null | undefined {
  const open = useQuery({
    ...reading("/api/rounds/", { query: { phase, status: "open" } }),
    refetchInterval: LOOK_AGAIN_MS,
  }).data;
  return open && (open.results.find(({ number }) => number >= 0) ?? null);
}

/** The open round, which keeps others from being published: its progress, and a button to close it. */
export function OpenRound({ round }: { round: Round }) {
  const { labellings_done, labellings_wanted, in_hand } = round;
  return (
    <Notice tone="unsure">
      <Text size="sm">
        {`Round ${round.number} is open. ${count(labellings_done)} of ${count(labellings_wanted)} labelled, ${count(in_hand)} in hand.`}
      </Text>
      <CloseRound round={round} />
    </Notice>
  );
}

/** Closes the round: at once if it is full, otherwise after saying what is lost. */
export function CloseRound({ round }: { round: Round }) {
  const user = useUser();
  const { labellings_done, labellings_wanted, in_hand, left } = round;
  if (!actsIn(user, round.phase)) return <NotAmong />;
  const lost =
    in_hand === 0
      ? "Nothing is in hand."
      : `${plural(in_hand, "task is", "tasks are")} in hand and can no longer be submitted; drafts are kept.`;
  const isFull = labellings_done > 0 && left + in_hand === 0;
  return (
    <ActButton
      act={() => client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: round.id } } })}
      question={
        isFull
          ? undefined
          : `${labellings_done} of ${labellings_wanted} labellings are done and stay. ${lost} Tasks that are left over are not labelled.`
      }
    >
      {isFull ? `Close round ${round.number}` : "Close early"}
    </ActButton>
  );
}
