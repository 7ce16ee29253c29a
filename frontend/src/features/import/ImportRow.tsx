import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Import, Undoing } from "@/api/types";
import { Question } from "@/shared/forms/AskFirst";
import { Loaded } from "@/shared/page/Loaded";
import { SmallButton, Tiny } from "@/shared/page/Panel";
import { isActive, RunState, StatusBadge } from "@/shared/runs/runs";
import { Joined, Time, TimeIn } from "@/shared/words/Time";
import { useAct } from "@/shared/forms/useAct";
import classes from "./import.module.css";
import { counted, COUNTS, FORMATS, NEW } from "./words";

const UNDO = "Undo import";
/** An import, from the list or from its own page. */
type Row = Omit<Import, "kind">;

/** One import: its progress, counts and undo. Its own page has all findings. */
export function ImportRow({ run }: { run: Import }) {
  return (
    <article className={classes.import} aria-label={run.name}>
      <Anchor component={Link} href={`/import/${run.id}`} className={classes.name}>
        {run.name}
      </Anchor>
      {run.undone_at ? <StatusBadge status="undone" /> : <RunState run={run} />}
      <Text size="sm">{said(run)}</Text>
      <Tiny>
        <Joined
          parts={[FORMATS[run.file_format].name, run.target, run.benchmark, run.owner, <Time at={run.created_at} />]}
        />
      </Tiny>
      <After run={run} />
    </article>
  );
}

function said(run: Import) {
  if (run.undone_at)
    return <TimeIn at={run.undone_at}>{(at) => `Undone ${at}. Everything it added was removed.`}</TimeIn>;
  if (run.confirmed_at === null) return run.status === "cancelled" ? "Nothing was imported" : "Not imported yet";
  return counted(run.counts) || (run.status === "done" ? "Nothing was imported" : "");
}

/** The acts on an import once it has ended. */
export function After({ run }: { run: Row }) {
  if (run.undone_at || isActive(run) || run.confirmed_at === null) return null;
  return (
    <Group gap="sm" align="start">
      {hasSolutions(run) && (
        <Anchor component={Link} size="sm" href={`/pool?origin=${run.id}`}>
          Show in the pool
        </Anchor>
      )}
      {NEW.some((kind) => (run.counts[kind] ?? 0) > 0) && <Undo run={run} />}
    </Group>
  );
}

function hasSolutions({ counts }: Row): boolean {
  return (counts.draws ?? 0) > 0;
}

/** Undoes the import, after saying what will be removed, or says why it can't be undone. */
function Undo({ run }: { run: Row }) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) return <SmallButton onClick={() => setIsAsking(true)}>{UNDO}</SmallButton>;
  return <UndoQuestion run={run} onDone={() => setIsAsking(false)} />;
}

function UndoQuestion({ run, onDone }: { run: Row; onDone: () => void }) {
  const params = { path: { id: run.id } };
  const asked = useQuery({ ...reading("/api/imports/{id}/undo/", params), staleTime: 0, gcTime: 0 });
  const undo = useAct(() => client.POST("/api/imports/{id}/undo/", { params }), onDone);
  return (
    <Loaded query={asked}>
      {(found) => (
        <Question
          {...{ act: undo, name: UNDO, question: question(found), onDone }}
          refusal={found.reason && `This import can’t be undone. ${found.reason}`}
        />
      )}
    </Loaded>
  );
}

function question(rows: Undoing): string {
  const gone = NEW.filter((kind) => rows[kind] > 0).map((kind) => COUNTS[kind](rows[kind]));
  return gone.length > 0
    ? `Remove what this import alone added: ${gone.join(", ")}, with their scores? What other imports brought too stays.`
    : "Nothing of this import is left. Mark it as undone?";
}
