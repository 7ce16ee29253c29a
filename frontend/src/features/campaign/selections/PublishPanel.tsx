import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import type { Selection } from "@/api/types";
import { ActButton } from "@/shared/ActButton";
import { Form } from "@/shared/Form";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { Quiet } from "@/shared/Quiet";
import { live, runQuery, RunState } from "@/shared/runs";
import { staffStrings } from "@/shared/staffStrings";
import { Submit } from "@/shared/Submit";
import { TimeIn } from "@/shared/Time";
import { useForm } from "@/shared/useForm";
import { OpenRound, useOpenRound } from "../rounds/OpenRound";
import { PutUpFields } from "./RoundFields";
import { says } from "./RoundFields";

/** What becomes of a selection: a round, with gold among its tasks, or nothing. */
export function PublishPanel({ selection }: { selection: Selection }) {
  const { publication, discarded_at } = selection;
  return (
    <Panel title="Publish">
      {publication ? (
        <Published id={publication} />
      ) : discarded_at ? (
        <Text size="sm">
          <TimeIn at={discarded_at}>{(time) => `Discarded ${time}.`}</TimeIn>
        </Text>
      ) : (
        <Publish selection={selection} />
      )}
    </Panel>
  );
}

function Publish({ selection: { id, phase, size, overlap, gold_set, summary } }: { selection: Selection }) {
  const form = useForm({ overlap, gold_set }, (wanted) =>
    client.POST("/api/publications/", { body: { selection: id, ...wanted } }),
  );
  const open = useOpenRound(phase);
  const { picked = 0 } = summary;
  const obstacle = open
    ? staffStrings.rounds.closeFirst
    : picked === 0 && "Nothing was picked: no solution is left for this phase.";
  return (
    <Form {...form.form}>
      {picked > 0 && size !== null && picked < size && <Text size="sm">{says.fewer(picked, size)}</Text>}
      {picked > 0 && <PutUpFields form={form} phase={phase} />}
      {open && <OpenRound round={open} />}
      <Group gap="sm" align="start">
        <Submit disabled={Boolean(obstacle)}>Publish round</Submit>
        <ActButton
          act={() => client.POST("/api/selections/{id}/discard/", { params: { path: { id } } })}
          question="It will not be published. Its picks stay on record."
          size="sm"
        >
          Discard
        </ActButton>
      </Group>
      {obstacle && <Quiet>{obstacle}</Quiet>}
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
            {`Published as round ${run.round.number}. `}
            <Anchor component={Link} inherit href={`/phases/${run.round.phase}`}>
              See the rounds
            </Anchor>
          </Text>
        ) : (
          <RunState run={run} />
        )
      }
    </Loaded>
  );
}
