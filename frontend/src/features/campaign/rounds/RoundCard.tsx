import { Box, Button, Group, Progress, Text, Title } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Round } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { count, percent, plural } from "@/shared/words/format";
import { Facts, Panel, Dim } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { StatusBadge } from "@/shared/runs/runs";
import { strings } from "@/shared/words/strings";
import { Time, TimeIn } from "@/shared/words/Time";
import { says } from "../selections/RoundFields";
import { CloseRound } from "../loop/OpenRound";
import { Tasks } from "./Tasks";

/** A round with its figures and what staff do with it. `overlap` is the phase's. */
export function RoundCard({ round, overlap }: { round: Round; overlap: number }) {
  const { id, number, status, task_count, opened_at, closed_at } = round;
  const [isShown, setIsShown] = useState(false);
  const isAdmin = useUser().is_admin;
  const name = strings.phases.round(number);
  return (
    <Panel>
      <article aria-label={name}>
        <Group mb="md">
          <Title order={2} size="h5">
            {name}
          </Title>
          <StatusBadge status={status} />
          <Dim>
            {plural(task_count, "task")}
            {status !== "publishing" && <TimeIn at={opened_at}>{(time) => ` · Opened ${time}`}</TimeIn>}
            {closed_at && <TimeIn at={closed_at}>{(time) => `, closed ${time}`}</TimeIn>}
          </Dim>
          <Group gap="xs" ml="auto" align="start">
            <Button size="compact-sm" variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
              {isShown ? "Hide the tasks" : "Tasks"}
            </Button>
            {status === "open" && (isAdmin || number >= 0) && <CloseRound round={round} />}
            {status === "closed" && isAdmin && (
              <ActButton
                act={() => client.POST("/api/rounds/{round_id}/reopen/", { params: { path: { round_id: id } } })}
              >
                Reopen
              </ActButton>
            )}
          </Group>
        </Group>
        <Taken round={round} />
        {number < 0 ? (
          <Dim>Every annotator labels all of it before anything else.</Dim>
        ) : (
          <Figures name={name} round={round} />
        )}
        {isShown && <Tasks round={round} overlap={overlap} />}
      </article>
    </Panel>
  );
}

/** Says if the round has fewer tasks than requested, and how much of its gold set is hidden in it. */
function Taken({ round: { status, requested, task_count, gold_set, gold_hidden, gold_in_set } }: { round: Round }) {
  const said = [
    requested !== null && status !== "publishing" && task_count < requested && says.fewer(task_count, requested),
    gold_set && `${says.hidden(gold_hidden, gold_in_set, gold_set)}.`,
  ].filter(Boolean);
  return said.length > 0 && <Dim mb="xs">{said.join(" ")}</Dim>;
}

/** The progress of a round that is not a screening. */
function Figures({ name, round }: { name: string; round: Round }) {
  const { labellings_done: done, labellings_wanted: wanted, in_hand, left, last_day, status, ends_at } = round;
  const words = `${name}: ${done} of ${plural(wanted, "labelling")}`;
  const share = done / Math.max(wanted, 1);
  const end = {
    name: "Forecast end",
    value: (
      <Text fz="md" fw={600} lh={1.8}>
        {ends_at ? <Time at={ends_at} /> : "Nothing in the last 24 h"}
      </Text>
    ),
  };
  return (
    <Group align="end" gap="xl" grow preventGrowOverflow={false}>
      <Box miw="14rem">
        <Group component="p" justify="space-between" m={0} mb={5} fz="sm">
          <span>{words}</span>
          <b>{percent(share)}</b>
        </Group>
        <Progress value={100 * share} aria-label={words} />
      </Box>
      <Facts
        facts={[
          { name: "Labelled", value: count(done) },
          { name: "In hand", value: count(in_hand) },
          { name: "Left", value: count(left) },
          { name: "Last 24 h", value: count(last_day) },
          ...(status === "open" && left + in_hand > 0 ? [end] : []),
        ]}
      />
    </Group>
  );
}
