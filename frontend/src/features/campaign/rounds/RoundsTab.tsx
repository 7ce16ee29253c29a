import { Stack, Text } from "@mantine/core";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { lazily } from "@/shared/Contained";
import { Loaded } from "@/shared/Loaded";
import { Pager } from "@/shared/Pager";
import { useUser } from "@/shared/session";
import { usePages } from "@/shared/usePages";
import { NewScreening } from "./NewScreening";
import { RoundCard } from "./RoundCard";

// It brings the charts.
const History = lazily(() => import("../History"));

const LOOK_AGAIN_MS = 5_000;

/** The rounds of a phase, the newest first. */
export function RoundsTab({ phase }: { phase: PhaseSettings }) {
  const { query: rounds, ...paging } = usePages({}, (query) => ({
    ...reading("/api/rounds/", { query: { ...query, phase: phase.id } }),
    refetchInterval: LOOK_AGAIN_MS,
  })).list;
  const user = useUser();
  const isOver = phase.status === "closed" || phase.status === "archived";
  return (
    <Loaded query={rounds}>
      {(list) => (
        <Stack gap="lg">
          <History phase={phase.id} />
          {list.results.length === 0 && <Text c="dimmed">No rounds yet.</Text>}
          {list.results.map((round) => (
            <RoundCard key={round.id} round={round} overlap={phase.overlap} />
          ))}
          <Pager {...paging} list={list} />
          {!isOver &&
            !list.next &&
            user.is_admin &&
            phase.kind === "solutions" &&
            list.results.every(({ number }) => number >= 0) && <NewScreening phase={phase} />}
        </Stack>
      )}
    </Loaded>
  );
}
