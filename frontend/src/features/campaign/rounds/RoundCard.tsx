import { Button, Group, Progress, Text, Title } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Round } from "@/api/types";
import { count, percent, plural } from "@/shared/format";
import { CloseRound } from "./OpenRound";
import { Facts, Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { says as took } from "../selections/roundStrings";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { useAct } from "@/shared/useAct";
import { Time, TimeIn } from "@/shared/Time";
import classes from "../campaign.module.css";
import { says } from "../strings";
import { Tasks } from "./Tasks";

/** A round with its figures and what staff do with it. `overlap` is the phase's. */
export function RoundCard({ round, overlap }: { round: Round; overlap: number }) {
  const [isShown, setIsShown] = useState(false);
  const isOpen = round.status === "open";
  const isAdmin = useUser().is_admin;
  return (
    <Panel>
      <article aria-label={says.phases.round(round.number)}>
        <div className={classes.head}>
          <Title order={2} size="h5">
            {says.phases.round(round.number)}
          </Title>
          <StatusBadge status={round.status} />
          <Text size="sm" c="dimmed">
            {plural(round.task_count, "task")} · <TimeIn at={round.opened_at}>{says.rounds.opened}</TimeIn>
            {round.closed_at && (
              <>
                , <TimeIn at={round.closed_at}>{says.rounds.closed}</TimeIn>
              </>
            )}
          </Text>
          <div className={classes.acts}>
            <Button size="compact-sm" variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
              {isShown ? "Hide the tasks" : "Tasks"}
            </Button>
            {isOpen && (isAdmin || round.number >= 0) && <CloseRound round={round} />}
            {round.status === "closed" && isAdmin && <ReopenRound round={round} />}
          </div>
        </div>
        <Taken round={round} />
        {round.number < 0 ? (
          <Text size="sm" c="dimmed">
            Every annotator labels all of it before anything else.
          </Text>
        ) : (
          <Figures round={round} />
        )}
        {isShown && <Tasks round={round} overlap={overlap} />}
      </article>
    </Panel>
  );
}

/** Where fewer tasks are there than were asked for; and what gold is hidden in the round, of how much. */
function Taken({ round: { status, requested, task_count, gold_set, gold_hidden, gold_in_set } }: { round: Round }) {
  const said = [
    requested !== null && status !== "publishing" && task_count < requested && took.fewer(task_count, requested),
    gold_set && `${took.hidden(gold_hidden, gold_in_set, gold_set)}.`,
  ];
  return (
    said.some(Boolean) && (
      <Text size="sm" c="dimmed" mb="xs">
        {said.filter(Boolean).join(" ")}
      </Text>
    )
  );
}

function Figures({ round }: { round: Round }) {
  const facts = [
    { name: "Labelled", value: count(round.labellings_done) },
    { name: "In hand", value: count(round.in_hand) },
    { name: "Left", value: count(round.left) },
    { name: "Last 24 h", value: count(round.last_day) },
    ...(round.status === "open" && round.left + round.in_hand > 0
      ? [
          {
            name: "Forecast end",
            value: (
              <Text fz="md" fw={600} lh={1.8}>
                {round.ends_at ? <Time at={round.ends_at} /> : "Nothing in the last 24 h"}
              </Text>
            ),
          },
        ]
      : []),
  ];
  return (
    <Group align="end" gap="xl" grow preventGrowOverflow={false}>
      <div style={{ minWidth: "14rem" }}>
        <RoundProgress round={round} />
      </div>
      <Facts facts={facts} />
    </Group>
  );
}

function ReopenRound({ round }: { round: Round }) {
  const reopen = useAct(() =>
    client.POST("/api/rounds/{round_id}/reopen/", { params: { path: { round_id: round.id } } }),
  );
  return (
    <>
      <Button size="compact-sm" variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        Reopen
      </Button>
      {reopen.isError && <Problem error={reopen.error} />}
    </>
  );
}

/** How far a round of real work is. */
function RoundProgress({ round: { number, labellings_done, labellings_wanted } }: { round: Round }) {
  const words = `${says.phases.round(number)}: ${says.phases.progress(labellings_done, labellings_wanted)}`;
  const share = labellings_done / Math.max(labellings_wanted, 1);
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
