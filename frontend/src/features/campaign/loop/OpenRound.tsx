import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Round } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { count } from "@/shared/words/format";
import { Notice } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { actsIn, useUser } from "@/shared/session/session";
import { staffStrings } from "@/shared/words/staffStrings";

const says = staffStrings.rounds;
const LOOK_AGAIN_MS = 5_000;

/** The phase's open round of real work: null without one, undefined until it is known. */
export function useOpenRound(phase: string): Round | null | undefined {
  const open = useQuery({
    ...reading("/api/rounds/", { query: { phase, status: "open" } }),
    refetchInterval: LOOK_AGAIN_MS,
  }).data;
  return open && (open.results.find(({ number }) => number >= 0) ?? null);
}

/** That no other round can be published yet: which one is open, how far it is, and the way to its end. */
export function OpenRound({ round }: { round: Round }) {
  return (
    <Notice tone="unsure">
      <Text size="sm">
        {says.isOpen(round.number)}{" "}
        {says.howFar(count(round.labellings_done), count(round.labellings_wanted), count(round.in_hand))}
      </Text>
      <CloseRound round={round} />
    </Notice>
  );
}

/** A full round closes at once; early, only after what is lost has been said. */
export function CloseRound({ round }: { round: Round }) {
  const user = useUser();
  const { labellings_done, labellings_wanted, in_hand, left } = round;
  if (!actsIn(user, round.phase)) return <Dim>{staffStrings.notAmong}</Dim>;
  const isFull = labellings_done > 0 && left + in_hand === 0;
  return (
    <ActButton
      act={() => client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: round.id } } })}
      question={isFull ? undefined : says.closeQuestion(labellings_done, labellings_wanted, in_hand)}
    >
      {isFull ? says.close(round.number) : says.closeEarly}
    </ActButton>
  );
}
