import { Table } from "@mantine/core";
import { Link, Route, Switch } from "wouter";
import { reading } from "@/api/reading";
import type { Selection } from "@/api/types";
import { count, when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { says as round } from "@/shared/round/strings";
import { live } from "@/shared/runs";
import { StatusBadge } from "@/shared/StatusBadge";
import { usePages } from "@/shared/usePages";
import { SelectionForm } from "./SelectionForm";
import { SelectionPage } from "./SelectionPage";
import classes from "./selections.module.css";
import { says } from "./strings";

const HEADS = [says.made, says.fields.phase, says.fields.policy, says.picked, says.status];

export default function SelectionsPage() {
  return (
    <Switch>
      <Route path="/selections/:id">{({ id }) => <SelectionPage key={id} id={id} />}</Route>
      <Route>
        <AllSelections />
      </Route>
    </Switch>
  );
}

function AllSelections() {
  const { list } = usePages({}, (query) => live(reading("/api/selections/", { query })));
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <div className={classes.beside}>
        <Panel title={says.fresh}>
          <SelectionForm />
        </Panel>
        <Listing {...list} none={says.none} heads={HEADS} width={520}>
          {(selection) => (
            <Table.Tr key={selection.id}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <Link className={classes.link} href={`/selections/${selection.id}`}>
                  {when(selection.created_at)}
                </Link>
              </Table.Td>
              <Table.Td>{selection.phase_name}</Table.Td>
              <Table.Td>{round.policies[selection.policy]}</Table.Td>
              <Table.Td>{selection.summary.picked === undefined ? "–" : count(selection.summary.picked)}</Table.Td>
              <Table.Td>
                <StatusBadge status={fateOf(selection)} />
              </Table.Td>
            </Table.Tr>
          )}
        </Listing>
      </div>
    </>
  );
}

function fateOf(selection: Selection): string {
  if (selection.discarded_at) return "discarded";
  return selection.publication ? "published" : selection.status;
}
