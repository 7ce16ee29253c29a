import { Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import type { Selection } from "@/api/types";
import { count, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { StatusBadge } from "@/shared/StatusBadge";
import { selectionsQuery } from "./queries";
import { SelectionForm } from "./SelectionForm";
import { SelectionPage } from "./SelectionPage";
import classes from "./selections.module.css";
import { says } from "./strings";

export default function SelectionsPage() {
  return (
    <Switch>
      <Route path="/selections/:id">{({ id }) => <SelectionPage key={id} id={id} />}</Route>
      <Route><AllSelections /></Route>
    </Switch>
  );
}

function AllSelections() {
  const selections = useQuery(selectionsQuery);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <div className={classes.beside}>
        <Panel><Title order={2} size="h5" mb="md">{says.fresh}</Title><SelectionForm /></Panel>
        <Loaded query={selections}>
          {({ results }) => (results.length === 0 ? <Text c="dimmed">{says.none}</Text> : <Listed selections={results} />)}
        </Loaded>
      </div>
    </>
  );
}

function Listed({ selections }: { selections: Selection[] }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={520}>
        <Table.Thead><Table.Tr>{[says.made, says.fields.phase, says.fields.policy, says.picked, says.status].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {selections.map((selection) => (
            <Table.Tr key={selection.id}>
              <Table.Td><Link className={classes.link} href={`/selections/${selection.id}`}>{when(selection.created_at)}</Link></Table.Td>
              <Table.Td>{selection.phase_name}</Table.Td>
              <Table.Td>{says.policies[selection.policy ?? "convincing"]}</Table.Td>
              <Table.Td>{selection.summary.picked === undefined ? "–" : count(selection.summary.picked)}</Table.Td>
              <Table.Td><StatusBadge status={fateOf(selection)} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function fateOf(selection: Selection): string {
  if (selection.discarded_at) return "discarded";
  return selection.publication ? "published" : selection.status;
}
