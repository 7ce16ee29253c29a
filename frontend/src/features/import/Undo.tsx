import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { Import, Undoing } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { Problem } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "./import.module.css";
import { says } from "./strings";

const words = says.undo;

/** Asks what would go first, and says why not where it can't be undone. */
export function Undo({ run }: { run: Import }) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>
        {words.name}
      </Button>
    );
  return <Question run={run} onDone={() => setIsAsking(false)} />;
}

function Question({ run, onDone }: { run: Import; onDone: () => void }) {
  const asked = useQuery({ ...reading("/api/imports/{id}/undo/", { path: { id: run.id } }), staleTime: 0, gcTime: 0 });
  const undo = useAct(
    () => dataOf(client.POST("/api/imports/{id}/undo/", { params: { path: { id: run.id } } })),
    onDone,
  );
  return (
    <div role="group" aria-label={words.name} className={classes.question}>
      <Loaded query={asked}>
        {(found) => (
          <>
            <Text size="sm">{found.reason ? `This import can’t be undone. ${found.reason}` : question(found)}</Text>
            {undo.isError && <Problem error={undo.error} />}
            <Group gap="xs">
              {!found.reason && (
                <Button size="compact-sm" color="red.9" loading={undo.isPending} onClick={() => undo.mutate()}>
                  {words.name}
                </Button>
              )}
              <Button size="compact-sm" variant="default" onClick={onDone} autoFocus>
                {found.reason ? "Close" : strings.cancel}
              </Button>
            </Group>
          </>
        )}
      </Loaded>
    </div>
  );
}

const KINDS = ["problems", "solutions", "labellings", "golds"] as const;

function question(rows: Undoing): string {
  const gone = KINDS.filter((kind) => rows[kind] > 0).map((kind) => says.history.counts[kind](rows[kind]));
  return gone.length > 0
    ? `Remove what this import alone added: ${gone.join(", ")}, with their scores? Anything that a later file repeated goes, too.`
    : "Nothing of this import is left. Mark it as undone?";
}
