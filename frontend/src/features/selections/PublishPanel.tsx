import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Selection } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { when } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import { PublishForm } from "@/shared/round/PublishForm";
import { live, RunState } from "@/shared/runs";
import { useAct } from "@/shared/useAct";
import classes from "./selections.module.css";
import { says } from "./strings";

/** What becomes of a selection: a round, with gold among its tasks, or nothing. */
export function PublishPanel({ selection }: { selection: Selection }) {
  return (
    <Panel title={says.publishTitle}>
      {selection.publication ? (
        <Published id={selection.publication} />
      ) : selection.discarded_at ? (
        <Text size="sm">{says.discarded(when(selection.discarded_at))}</Text>
      ) : (
        <Publish selection={selection} />
      )}
    </Panel>
  );
}

function Publish({ selection }: { selection: Selection }) {
  const discard = useAct(() =>
    client.POST("/api/selections/{id}/discard/", { params: { path: { id: selection.id } } }),
  );
  return (
    <PublishForm selection={selection} name={says.publish}>
      <AskFirst act={discard} name={says.discard} question={says.discardQuestion} size="sm" />
    </PublishForm>
  );
}

function Published({ id }: { id: string }) {
  const { data: run, dataUpdatedAt } = useQuery(live(reading("/api/publications/{id}/", { path: { id } })));
  if (run?.round)
    return (
      <Text size="sm">
        {says.published(run.round.number)}{" "}
        <Link className={classes.link} href={`/phases/${run.round.phase}`}>
          {says.toRounds}
        </Link>
      </Text>
    );
  return run ? <RunState run={run} now={dataUpdatedAt} /> : null;
}
