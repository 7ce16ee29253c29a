import { Button, Group, Progress, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import type { Round } from "@/api/types";
import { percent, when } from "@/shared/format";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { strings } from "@/shared/strings";
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

/** Asks once more in place: closing cannot be taken back. */
function CloseRound({ round }: { round: Round }) {
  const user = useUser();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const close = useMutation({
    mutationFn: () => client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: round.id } } }),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (!user.is_admin) return null;
  if (!isAsking) return <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>{says.close}</Button>;
  return (
    <div className={classes.confirm}>
      {close.isError && <Problem error={close.error} />}
      <Text size="sm">{says.confirm}</Text>
      <Group gap="xs" justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={() => setIsAsking(false)} autoFocus>{strings.cancel}</Button>
        <Button size="compact-sm" color="red.9" loading={close.isPending} onClick={() => close.mutate()}>{says.close}</Button>
      </Group>
    </div>
  );
}
