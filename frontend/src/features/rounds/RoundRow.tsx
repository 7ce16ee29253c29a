import { Group, Progress, Text, Title } from "@mantine/core";
import { client } from "@/api/client";
import type { Round } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { percent, when } from "@/shared/format";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "./RoundRow.module.css";

const says = strings.rounds;

export function RoundRow({ round }: { round: Round }) {
  const share = round.labellings_done / Math.max(round.labellings_wanted, 1);
  const progress = says.progress(round.labellings_done, round.labellings_wanted);
  return (
    <article className={classes.row}>
      <div>
        <Title order={2} size="h5">{round.phase_name} · {strings.phases.round(round.number)}</Title>
        <Text size="sm" c="dimmed">
          {says.tasks(round.task_count)} · {says.opened} {when(round.opened_at)}
          {round.closed_at && ` · ${says.closed} ${when(round.closed_at)}`}
        </Text>
      </div>
      <div>
        <Group justify="space-between" mb={5}>
          <Text size="sm">{progress}</Text>
          <Text size="sm" fw={600}>{percent(share)}</Text>
        </Group>
        <Progress value={100 * share} aria-label={progress} />
      </div>
      <Group justify="flex-end" gap="md">
        <StatusBadge status={round.status} />
        {round.status === "open" && <CloseRound round={round} />}
      </Group>
    </article>
  );
}

function CloseRound({ round }: { round: Round }) {
  const close = useAct(() => client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: round.id } } }));
  return useUser().is_admin && <AskFirst act={close} name={says.close} question={says.confirm} />;
}
