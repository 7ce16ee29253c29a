import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { Autopilot } from "@/api/types";
import { count, decimal, duration } from "@/shared/format";
import { StatusBadge } from "@/shared/StatusBadge";
import { Joined, Time } from "@/shared/Time";
import classes from "./autopilot.module.css";
import { says } from "./strings";

type Entry = Autopilot["timeline"][number];

/** What it did, the newest first, round by round, with what came of it and where that is. */
export function Timeline({ phase, entries }: { phase: string; entries: Entry[] }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing yet.
      </Text>
    );
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
  const { act, run, status, started_at, finished_at } = entry;
  const href = run
    ? act === "select"
      ? `/selections/${run}`
      : `/runs/${run}`
    : act === "promote"
      ? "/models"
      : `/phases/${phase}`;
  const took = finished_at && finished_at !== started_at && duration(Date.parse(finished_at) - Date.parse(started_at));
  return (
    <li data-status={status}>
      <div className={classes.act}>
        <Link href={href}>{says.acts[act]}</Link>
        {status !== "done" && <StatusBadge status={status} />}
      </div>
      <Text size="xs" c="dimmed">
        <Joined parts={[<Time at={started_at} />, took, ...told(entry)]} />
      </Text>
    </li>
  );
}

function told({ result }: Entry): string[] {
  return Object.entries(result).flatMap(([key, value]) => {
    const name = says.results[key];
    if (name === undefined || value === null) return [];
    if (typeof value === "string") return [`${name} ${value}`];
    if (typeof value !== "number") return [];
    return key === "round"
      ? [`round ${value}`]
      : [Number.isInteger(value) ? `${count(value)} ${name}` : `${name} ${decimal(value)}`];
  });
}
