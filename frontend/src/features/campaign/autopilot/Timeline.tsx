import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { Autopilot } from "@/api/types";
import { count, decimal, duration } from "@/shared/format";
import { Quiet } from "@/shared/Quiet";
import { StatusBadge } from "@/shared/StatusBadge";
import { Joined, Time } from "@/shared/Time";
import classes from "./autopilot.module.css";

type Entry = Autopilot["timeline"][number];

export const ACTS = {
  label: "People label",
  close: "Close the round",
  train: "Train",
  evaluate: "Evaluate",
  promote: "Promote",
  score: "Score the pool",
  select: "Select",
  publish: "Publish",
};
const RESULTS: Record<string, string | undefined> = {
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

/** What it did, the newest first, round by round, with what came of it and where that is. */
export function Timeline({ phase, entries }: { phase: string; entries: Entry[] }) {
  if (entries.length === 0) return <Quiet>Nothing yet.</Quiet>;
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
      <Quiet size="xs">
        <Joined parts={[<Time at={started_at} />, took, ...told(entry)]} />
      </Quiet>
    </li>
  );
}

function hrefOf({ act, run }: Entry, phase: string): string {
  if (run) return act === "select" ? `/selections/${run}` : `/runs/${run}`;
  return act === "promote" ? "/models" : `/phases/${phase}`;
}

function told({ result }: Entry): string[] {
  return Object.entries(result).flatMap(([key, value]) => {
    const name = RESULTS[key];
    if (name === undefined) return [];
    if (typeof value === "string") return [`${name} ${value}`];
    if (typeof value !== "number") return [];
    if (key === "round") return [`${name} ${value}`];
    return [Number.isInteger(value) ? `${count(value)} ${name}` : `${name} ${decimal(value)}`];
  });
}
