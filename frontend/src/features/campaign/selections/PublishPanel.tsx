import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import type { Selection } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { live, runQuery, RunState } from "@/shared/runs";
import { staffStrings } from "@/shared/staffStrings";
import { useAct } from "@/shared/useAct";
import { useForm } from "@/shared/useForm";
import { TimeIn } from "@/shared/Time";
import { OpenRound, useOpenRound } from "../rounds/OpenRound";
import { PutUpFields } from "./RoundFields";
import { putUpBody, roundValues } from "./roundForm";
import { says as round } from "./roundStrings";
import classes from "./selections.module.css";
import { says } from "./strings";

/** What becomes of a selection: a round, with gold among its tasks, or nothing. */
export function PublishPanel({ selection }: { selection: Selection }) {
  return (
    <Panel title="Publish">
      {selection.publication ? (
        <Published id={selection.publication} />
      ) : selection.discarded_at ? (
        <Text size="sm">
          <TimeIn at={selection.discarded_at}>{says.discarded}</TimeIn>
        </Text>
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
  const { overlap, gold_set } = roundValues(selection);
  const form = useForm({ overlap, gold_set }, (wanted) =>
    client.POST("/api/publications/", { body: { selection: selection.id, ...putUpBody(wanted) } }),
  );
  const open = useOpenRound(selection.phase);
  const { picked = 0 } = selection.summary;
  const obstacle = open
    ? staffStrings.rounds.closeFirst
    : picked === 0
      ? "Nothing was picked: no solution is left for this phase."
      : null;
  return (
    <Form {...form.form}>
      {picked > 0 && selection.size !== null && picked < selection.size && (
        <Text size="sm">{round.fewer(picked, selection.size)}</Text>
      )}
      {picked > 0 && (
        <PutUpFields overlap={form.number("overlap")} gold={form.text("gold_set")} phase={selection.phase} />
      )}
      {open && <OpenRound round={open} />}
      <div style={{ display: "flex", flexWrap: "wrap", gap: "0.75rem", alignItems: "start" }}>
        <Submit disabled={obstacle !== null}>Publish round</Submit>
        <AskFirst
          act={discard}
          name="Discard"
          question="It will not be published. Its picks stay on record."
          size="sm"
        />
      </div>
      {obstacle && (
        <Text size="sm" c="dimmed">
          {obstacle}
        </Text>
      )}
    </Form>
  );
}

function Published({ id }: { id: string }) {
  const publication = useQuery(live(runQuery("publish", id)));
  return (
    <Loaded query={publication}>
      {(run) =>
        run.round ? (
          <Text size="sm">
            {`Published as round ${run.round.number}.`}{" "}
            <Link className={classes.link} href={`/phases/${run.round.phase}`}>
              See the rounds
            </Link>
          </Text>
        ) : (
          <RunState run={run} />
        )
      }
    </Loaded>
  );
}
