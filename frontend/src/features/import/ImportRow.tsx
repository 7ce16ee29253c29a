import { Anchor, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { BadLine, Import, Undoing } from "@/api/types";
import { count, plural } from "@/shared/format";
import { Rows, type Shown } from "@/shared/Listing";
import { Loaded, Problem } from "@/shared/Loaded";
import { SmallButton, Tiny } from "@/shared/Panel";
import { isActive, RunState, StatusBadge } from "@/shared/runs";
import { strings } from "@/shared/strings";
import { Joined, Time, TimeIn } from "@/shared/Time";
import { useAct } from "@/shared/useAct";
import classes from "./import.module.css";

export const FORMATS = {
  solutions: "Solutions JSONL",
  prm800k: "PRM800K labels",
  gsm8k: "GSM8K model solutions",
  processbench: "ProcessBench (becomes gold)",
  problems: "Problems JSONL",
};
const UNDO = "Undo import";
const COUNTED = ["problems", "solutions", "draws", "labellings", "golds"] as const;
const COUNTS = {
  problems: (number: number) => plural(number, "problem"),
  solutions: (number: number) => plural(number, "solution"),
  draws: (number: number) => plural(number, "draw"),
  shared: (number: number) => `${plural(number, "known text")}, now also in this source`,
  labellings: (number: number) => plural(number, "labelling"),
  ratings: (number: number) => plural(number, "rating"),
  golds: (number: number) => plural(number, "gold label"),
  held_out: (number: number) => `${plural(number, "known problem")} held out`,
  duplicates: (number: number) => `${count(number)} duplicates`,
};

/** One import: how far it is, what came in, what was wrong, and the way back. */
export function ImportRow({ run }: { run: Import }) {
  const { counts, name } = run;
  const bad = counts.errors ?? 0;
  return (
    <article className={classes.import} aria-label={name}>
      <span className={classes.name}>{name}</span>
      {run.undone_at ? <StatusBadge status="undone" /> : <RunState run={run} />}
      <Text size="sm">
        {run.undone_at ? (
          <TimeIn at={run.undone_at}>{(at) => `Undone ${at}. Everything it added was removed.`}</TimeIn>
        ) : (
          importedBy(run)
        )}
      </Text>
      <Tiny>
        <Joined
          parts={[FORMATS[run.file_format], run.target, run.benchmark, run.owner, <Time at={run.created_at} />]}
        />
      </Tiny>
      {!run.undone_at && !isActive(run) && (
        <Group gap="sm" align="start">
          {hasSolutions(run) && (
            <Anchor component={Link} size="sm" href={`/pool?origin=${run.id}`}>
              Show in the pool
            </Anchor>
          )}
          {COUNTED.some((kind) => (counts[kind] ?? 0) > 0) && <Undo run={run} />}
        </Group>
      )}
      {bad > 0 && <BadLines run={run} bad={bad} />}
    </article>
  );
}

function hasSolutions({ counts, file_format }: Import): boolean {
  return file_format !== "prm800k" && (counts.draws ?? 0) > 0;
}

function importedBy(run: Import): string {
  const { draws, solutions } = run.counts;
  const came = Object.entries(COUNTS).flatMap(([key, told]) => {
    const number = run.counts[key as keyof typeof run.counts] ?? 0;
    const isSaid = key === "draws" && draws === solutions;
    return number > 0 && !isSaid ? [told(number)] : [];
  });
  return came.join(" · ") || (run.status === "done" ? "Nothing was imported" : "");
}

const BAD_LINES: Shown<BadLine>[] = [
  { head: "Line", cell: ({ line }) => count(line) },
  { head: "Reason", cell: ({ reason }) => <span className={classes.reason}>{reason}</span> },
];

/** The first of them here, all that are kept as a file. */
function BadLines({ run, bad }: { run: Import; bad: number }) {
  const name = `Bad lines: ${count(bad)}`;
  const [isOpen, setIsOpen] = useState(false);
  const lines = useQuery({ ...reading("/api/imports/{id}/bad-lines/", { path: { id: run.id } }), enabled: isOpen });
  return (
    <>
      <Group gap="sm">
        <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {name}
        </SmallButton>
        <Anchor href={`/api/imports/${run.id}/errors/`} download size="sm">
          Download
        </Anchor>
      </Group>
      {isOpen && (
        <Loaded query={lines}>
          {(rows) => (
            <>
              <Rows rows={rows} columns={BAD_LINES} keyOf={({ line }) => line} width={320} name={name} />
              {bad > rows.length && (
                <Tiny>{`The first ${count(rows.length)} of ${count(bad)}. The download has up to 10,000.`}</Tiny>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

/** Asks what would go first, and says why not where it can't be undone. */
function Undo({ run }: { run: Import }) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) return <SmallButton onClick={() => setIsAsking(true)}>{UNDO}</SmallButton>;
  return <Question run={run} onDone={() => setIsAsking(false)} />;
}

function Question({ run, onDone }: { run: Import; onDone: () => void }) {
  const asked = useQuery({ ...reading("/api/imports/{id}/undo/", { path: { id: run.id } }), staleTime: 0, gcTime: 0 });
  const undo = useAct(() => client.POST("/api/imports/{id}/undo/", { params: { path: { id: run.id } } }), onDone);
  return (
    <div role="group" aria-label={UNDO} className={classes.question}>
      <Loaded query={asked}>
        {(found) => (
          <>
            <Text size="sm">{found.reason ? `This import can’t be undone. ${found.reason}` : question(found)}</Text>
            {undo.isError && <Problem error={undo.error} />}
            <Group gap="xs">
              {!found.reason && (
                <Button size="compact-sm" color="red.9" loading={undo.isPending} onClick={() => undo.mutate()}>
                  {UNDO}
                </Button>
              )}
              <SmallButton onClick={onDone} autoFocus>
                {found.reason ? "Close" : strings.cancel}
              </SmallButton>
            </Group>
          </>
        )}
      </Loaded>
    </div>
  );
}

function question(rows: Undoing): string {
  const gone = COUNTED.filter((kind) => rows[kind] > 0).map((kind) => COUNTS[kind](rows[kind]));
  return gone.length > 0
    ? `Remove what this import alone added: ${gone.join(", ")}, with their scores? What other imports brought too stays.`
    : "Nothing of this import is left. Mark it as undone?";
}
