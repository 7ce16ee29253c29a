import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings, Selection } from "@/api/types";
import { modelsQuery } from "@/shared/forms/choices";
import { TIGHT, type Shown, Listing, RowLink } from "@/shared/tables/Listing";
import { Form } from "@/shared/forms/Form";
import { count } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { Panel } from "@/shared/page/Panel";
import { live, StatusBadge } from "@/shared/runs/runs";
import { NotAmong } from "@/shared/runs/NotAmong";
import { actsIn, useUser } from "@/shared/session/session";
import { POLICIES } from "@/shared/words/vocabularies";
import { Submit } from "@/shared/forms/Submit";
import { Time } from "@/shared/words/Time";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { usePages } from "@/shared/tables/usePages";
import { RoundFields, useSuitedPolicy, ROUND_DEFAULTS, roundBody } from "./RoundFields";
import classes from "./selections.module.css";

const COLUMNS: Shown<Selection>[] = [
  {
    head: "Created",
    td: TIGHT,
    cell: ({ id, created_at }) => (
      <Anchor component={RowLink} c="inherit" inherit underline="always" href={`/selections/${id}`}>
        <Time at={created_at} />
      </Anchor>
    ),
  },
  { head: "Policy", cell: ({ policy }) => POLICIES[policy] },
  { head: "Picked", cell: ({ summary: { picked } }) => (picked === undefined ? "–" : count(picked)) },
  {
    head: "Status",
    cell: ({ discarded_at, publication, status }) => (
      <StatusBadge status={discarded_at ? "discarded" : publication ? "published" : status} />
    ),
  },
];

/** The picks for the phase's rounds, and the next picks. */
export function SelectionsTab({ phase: { id, status } }: { phase: PhaseSettings }) {
  const { list } = usePages({}, (query) => live(reading("/api/selections/", { query: { ...query, phase: id } })));
  const models = useQuery(modelsQuery); // the suited policy depends on them
  const isOver = status === "closed" || status === "archived";
  const mayAct = actsIn(useUser(), id);
  return (
    <div className={classes.beside} data-alone={isOver || undefined}>
      {!isOver && (
        <Panel title="Select the next round">
          {mayAct ? <Loaded query={models}>{() => <SelectionForm phase={id} />}</Loaded> : <NotAmong />}
        </Panel>
      )}
      <Listing {...list} columns={COLUMNS} keyOf={(selection) => selection.id} none="No selections yet." width={480} />
    </div>
  );
}

/** Asks for a selection; its page is the preview. */
function SelectionForm({ phase }: { phase: string }) {
  const [, go] = useLocation();
  const suited = useSuitedPolicy(phase);
  const form = useGuardedForm(
    ROUND_DEFAULTS,
    (wanted) => client.POST("/api/selections/", { body: { phase, ...roundBody(wanted, suited) } }),
    (made) => go(`/selections/${made.id}`),
  );
  return (
    <Form {...form.form}>
      <RoundFields form={form} phase={phase} />
      <Submit variant="default">Select</Submit>
    </Form>
  );
}
