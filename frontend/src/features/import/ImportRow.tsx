import { Anchor, Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { Import } from "@/api/types";
import { count } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { isActive, RunState } from "@/shared/runs";
import { StatusBadge } from "@/shared/StatusBadge";
import { Joined, Time, TimeIn } from "@/shared/Time";
import classes from "./import.module.css";
import { says } from "./strings";
import { Undo } from "./Undo";

const words = says.history;
const COUNTED = ["problems", "solutions", "labellings", "golds"] as const;

/** One import: how far it is, what came in, what was wrong, and the way back. */
export function ImportRow({ run }: { run: Import }) {
  const { counts, name } = run;
  const bad = counts.errors ?? 0;
  return (
    <article className={classes.import} aria-label={name}>
      <span className={classes.name}>{name}</span>
      {run.undone_at ? <StatusBadge status="undone" /> : <RunState run={run} />}
      <Text size="sm">{run.undone_at ? <TimeIn at={run.undone_at}>{words.undone}</TimeIn> : importedBy(run)}</Text>
      <Text size="xs" c="dimmed">
        <Joined parts={[says.form.formats[run.file_format], run.target, run.owner, <Time at={run.created_at} />]} />
      </Text>
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
  return file_format !== "prm800k" && (counts.solutions ?? 0) > 0;
}

function importedBy(run: Import): string {
  const came = Object.entries(words.counts).flatMap(([key, told]) => {
    const number = run.counts[key as keyof typeof run.counts] ?? 0;
    return number > 0 ? [told(number)] : [];
  });
  return came.join(" · ") || (run.status === "done" ? "Nothing was imported" : "");
}

/** The first of them here, all that are kept as a file. */
function BadLines({ run, bad }: { run: Import; bad: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const lines = useQuery({ ...reading("/api/imports/{id}/bad-lines/", { path: { id: run.id } }), enabled: isOpen });
  return (
    <>
      <Group gap="sm">
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {words.errors(count(bad))}
        </Button>
        <Anchor href={`/api/imports/${run.id}/errors/`} download size="sm">
          Download
        </Anchor>
      </Group>
      {isOpen && (
        <Loaded query={lines}>
          {(rows) => (
            <>
              <Rows rows={rows} heads={["Line", "Reason"]} width={320} name={words.errors(count(bad))}>
                {(row) => (
                  <Table.Tr key={row.line}>
                    <Table.Td w="6rem">{count(row.line)}</Table.Td>
                    <Table.Td className={classes.reason}>{row.reason}</Table.Td>
                  </Table.Tr>
                )}
              </Rows>
              {bad > rows.length && (
                <Text size="xs" c="dimmed">
                  {`The first ${count(rows.length)} of ${count(bad)}. The download has up to 10,000.`}
                </Text>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}
