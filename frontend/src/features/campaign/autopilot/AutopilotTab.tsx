import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Autopilot, LoopAct, PhaseSettings } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { modelsQuery } from "@/shared/forms/choices";
import { type Shown, Rows } from "@/shared/tables/Listing";
import { count, decimal, duration } from "@/shared/words/format";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { Facts, Panel, Dim, Tiny } from "@/shared/page/Panel";
import { StatusBadge } from "@/shared/runs/runs";
import { canRunJobs, useUser } from "@/shared/session/session";
import { meaningOf } from "@/shared/words/words";
import { Joined, Time } from "@/shared/words/Time";
import { factsIn } from "@/shared/text/valueText";
import { loopQuery } from "../loop/loop";
import classes from "./autopilot.module.css";
import { SettingsForm, settingsOf } from "./SettingsForm";

const LOOK_EVERY_MS = 3000;
const STATES = { off: "Nothing happens by itself.", on: "It does what is due.", stopped: "It waits for you." };

/** The autopilot, which runs the phase's loop: its state, past acts, and settings. */
export function AutopilotTab({ phase: { id } }: { phase: PhaseSettings }) {
  const pilot = useQuery({
    ...reading("/api/autopilots/{id}/", { path: { id } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const models = useQuery(modelsQuery); // the suited policy depends on them
  const mayAct = canRunJobs(useUser(), id);
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Loaded query={pilot}>
      {(data) => (
        <Stack gap="lg">
          <Text c="dimmed">
            Runs the phase’s loop by itself, and stops as soon as something is not as it should be.
          </Text>
          <State pilot={data} mayAct={mayAct} isEdited={isEdited} />
          <div className={classes.beside}>
            <Panel title="What it did">
              <Timeline phase={id} entries={data.timeline} />
            </Panel>
            <Panel title="Settings">
              <Loaded query={models}>
                {() =>
                  mayAct ? (
                    <SettingsForm pilot={data} onEdit={setIsEdited} />
                  ) : (
                    <Facts look="settings" facts={factsIn(settingsOf(data)).filter(({ value }) => value !== "–")} />
                  )
                }
              </Loaded>
            </Panel>
          </div>
          {data.notices.length > 0 && (
            <section>
              <Title order={2} size="h5" mb="sm">
                Notifications sent
              </Title>
              <Rows
                columns={NOTICES}
                keyOf={(notice) => notice.id}
                rows={data.notices}
                width={560}
                name="Notifications sent"
              />
            </section>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function State({ pilot, mayAct, isEdited }: { pilot: Autopilot; mayAct: boolean; isEdited: boolean }) {
  const { phase, status, reason } = pilot;
  const params = { path: { id: phase } };
  const on = (skip: boolean) => client.POST("/api/autopilots/{id}/on/", { params, body: { skip } });
  const loop = useQuery(loopQuery(phase)).data;
  return (
    <Panel>
      <Group justify="space-between">
        <Group>
          <StatusBadge status={status} />
          <Dim>
            {STATES[status]}
            {!mayAct && " View only: ML staff of this phase switch it on and off."}
            {isEdited && status !== "on" && " Save the changed settings first."}
          </Dim>
        </Group>
        {mayAct && (
          <Group gap="sm">
            {status === "stopped" && loop?.candidate && loop.obstacle !== "" && (
              <ActButton size="sm" disabled={isEdited} act={() => on(true)}>
                Continue with the earlier model
              </ActButton>
            )}
            {status !== "on" && (
              <ActButton size="sm" disabled={isEdited} act={() => on(false)}>
                {status === "stopped" ? "Resume" : "Switch on"}
              </ActButton>
            )}
            {status !== "off" && (
              <ActButton
                size="sm"
                act={() => client.POST("/api/autopilots/{id}/off/", { params })}
                question="Nothing more is started. Jobs under way are not cancelled."
              >
                Switch off
              </ActButton>
            )}
          </Group>
        )}
      </Group>
      {reason !== "" && (
        <Box mt="md">
          <Notice tone="unsure">{`Stopped: ${reason}`}</Notice>
        </Box>
      )}
    </Panel>
  );
}

const NOTICES: Shown<Autopilot["notices"][number]>[] = [
  { head: "At", cell: ({ created_at }) => <Time at={created_at} /> },
  { head: "To", cell: ({ to }) => to },
  {
    head: "Event",
    cell: ({ act, event }) => [meaningOf(ACTS, act), event].filter(Boolean).join(": "),
  },
  {
    head: "Status",
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} />
        {error && <Tiny>{error}</Tiny>}
      </>
    ),
  },
  { head: "Attempts", cell: ({ attempts }) => attempts },
];

type Entry = Autopilot["timeline"][number];

const ACTS = {
  label: "People label",
  close: "Close the round",
  rule: "Settle the disagreements",
  train: "Train",
  evaluate: "Evaluate",
  promote: "Promote",
  score: "Score the pool",
  select: "Select",
  publish: "Publish",
} satisfies Record<LoopAct, string>;
const RESULTS = {
  round: "round",
  labellings: "labellings",
  labels: "labels",
  step_auc: "step AUC",
  f1: "first-error F1",
  model: "model",
  scored: "scored",
  too_long: "too long",
  candidates: "candidates",
  picked: "picked",
  wrong: "wrong",
  set_aside: "set aside",
};

/** The acts of the autopilot, the newest first, round by round, with what came of each and where that is. */
function Timeline({ phase, entries }: { phase: string; entries: Entry[] }) {
  if (entries.length === 0) return <Dim>Nothing yet.</Dim>;
  const rounds = [...new Set(entries.map(({ round }) => round))];
  return rounds.map((round) => (
    <section key={round} className={classes.round}>
      <h3>{round === null ? "Before the first round" : `Round ${round}`}</h3>
      <ol>
        {entries
          .filter((entry) => entry.round === round)
          .map((entry) => (
            <Line key={entry.act + entry.started_at} phase={phase} entry={entry} />
          ))}
      </ol>
    </section>
  ));
}

function Line({ phase, entry }: { phase: string; entry: Entry }) {
  const { act, status, started_at, finished_at } = entry;
  const took = finished_at && finished_at !== started_at && duration(Date.parse(finished_at) - Date.parse(started_at));
  return (
    <li data-status={status}>
      <Anchor component={Link} href={hrefOf(entry, phase)} c="inherit" underline="always" fw={600} mr="sm">
        {ACTS[act]}
      </Anchor>
      {status !== "done" && <StatusBadge status={status} />}
      <Tiny>
        <Joined parts={[<Time at={started_at} />, took, ...told(entry)]} />
      </Tiny>
    </li>
  );
}

function hrefOf({ act, run }: Entry, phase: string): string {
  if (run) return act === "select" ? `/selections/${run}` : `/runs/${run}`;
  return act === "promote" ? "/models" : `/phases/${phase}`;
}

function told({ result }: Entry): string[] {
  return Object.entries(result).flatMap(([key, value]) => {
    const name = meaningOf(RESULTS, key);
    if (name === undefined) return [];
    if (typeof value === "string") return [`${name} ${value}`];
    if (typeof value !== "number") return [];
    if (key === "round") return [`${name} ${value}`];
    return [Number.isInteger(value) ? `${count(value)} ${name}` : `${name} ${decimal(value)}`];
  });
}
