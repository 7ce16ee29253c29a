import { NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings, Reach } from "@/api/types";
import { lazily } from "@/shared/page/Contained";
import { Form } from "@/shared/forms/Form";
import { Loaded } from "@/shared/page/Loaded";
import { Pager } from "@/shared/tables/Listing";
import { Panel, Dim } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { usePages } from "@/shared/tables/usePages";
import classes from "../campaign.module.css";
import { says } from "../selections/RoundFields";
import { RoundCard } from "./RoundCard";

// Loaded late: they import the charts.
const History = lazily(() => import("../loop/History"));
const Arms = lazily(() => import("../loop/Arms"));

const LOOK_AGAIN_MS = 5_000;

/** The rounds of a phase, the newest first. */
export function RoundsTab({ phase }: { phase: PhaseSettings }) {
  const { query: rounds, ...paging } = usePages({}, (query) => ({
    ...reading("/api/rounds/", { query: { ...query, phase: phase.id } }),
    refetchInterval: LOOK_AGAIN_MS,
  })).list;
  const user = useUser();
  const isOver = phase.status === "closed" || phase.status === "archived";
  return (
    <Loaded query={rounds}>
      {(list) => (
        <Stack gap="lg">
          {list.results.length === 0 && <Text c="dimmed">No rounds yet.</Text>}
          {list.results.map((round) => (
            <RoundCard key={round.id} round={round} overlap={phase.overlap} />
          ))}
          <Pager {...paging} list={list} />
          {!isOver &&
            !list.next &&
            user.is_admin &&
            phase.kind === "solutions" &&
            list.results.every(({ number }) => number >= 0) && <NewScreening phase={phase} />}
          {/* Below all that one presses: they come late, and would push it away under the pointer. */}
          <History phase={phase.id} />
          {phase.kind === "solutions" && <Arms phase={phase.id} />}
        </Stack>
      )}
    </Loaded>
  );
}

/** Round -1 of a phase, made of a gold set. */
function NewScreening({ phase: { id } }: { phase: PhaseSettings }) {
  const sets = useQuery(reading("/api/phases/{phase_id}/gold/", { path: { phase_id: id } }));
  return (
    <Loaded query={sets}>
      {(found) => (
        <Panel title="Screening">
          <Dim mb="sm">
            {found.length === 0
              ? "Make a gold set first, on the Gold page."
              : "Round −1: every annotator labels these before anything else."}
          </Dim>
          {found[0] && <Screening phase={id} sets={found} start={found[0].gold_set} />}
        </Panel>
      )}
    </Loaded>
  );
}

function Screening({ phase, sets, start }: { phase: string; sets: Reach[]; start: string }) {
  const { form, values, text, amount } = useForm({ gold_set: start, size: 30 }, (body) =>
    client.POST("/api/phases/{phase_id}/screening/", {
      params: { path: { phase_id: phase } },
      body,
    }),
  );
  const drawn = sets.find(({ gold_set }) => gold_set === values.gold_set)?.drawn ?? 0;
  return (
    <Form {...form} className={classes.form}>
      <NativeSelect
        label="Gold set"
        {...text("gold_set")}
        data={sets.map(({ gold_set: value, drawn, solutions }) => ({
          value,
          label: says.set(value, drawn, solutions),
        }))}
      />
      <NumberInput
        label="Number of solutions"
        description={drawn < values.size && says.fewer(drawn, values.size)}
        {...amount("size")}
        min={1}
        max={1000}
        required
      />
      <Submit variant="default">Open the screening</Submit>
    </Form>
  );
}
