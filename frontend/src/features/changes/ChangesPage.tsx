import { NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Change } from "@/api/types";
import { Difference } from "@/shared/Difference";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import classes from "./ChangesPage.module.css";
import { says } from "./strings";

const NOTHING = { name: "", by: "", act: "", kind: "", from: "", to: "" };

/** The audit log: who changed what. */
export default function ChangesPage() {
  const [wanted, setWanted] = useState({ ...NOTHING, page: 1 });
  const [asked] = useDebouncedValue(wanted, 250);
  const changes = useQuery({
    queryKey: ["changes", asked],
    queryFn: () => dataOf(client.GET("/api/changes/", { params: { query: filled(asked) } })),
    placeholderData: (shown) => shown,
  });
  const field = (name: keyof typeof NOTHING) => ({
    label: says[name], value: wanted[name], onChange: (event: { currentTarget: { value: string } }) => setWanted({ ...wanted, page: 1, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <search className={classes.filters} aria-label={says.search}>
        <TextInput {...field("name")} placeholder={says.namePlaceholder} />
        <TextInput {...field("by")} />
        <NativeSelect {...field("kind")} data={[{ value: "", label: says.anything }, ...Object.entries(strings.changes.kinds).map(([value, label]) => ({ value, label: label ?? value }))]} />
        <TextInput {...field("from")} type="date" />
        <TextInput {...field("to")} type="date" />
      </search>
      <Loaded query={changes}>
        {(list) => (list.results.length === 0 ? <Text c="dimmed">{says.none}</Text> : (
          <>
            <ChangesTable changes={list.results} />
            <Pager page={wanted.page} list={list} onPage={(page) => setWanted({ ...wanted, page })} />
          </>
        ))}
      </Loaded>
    </>
  );
}

function filled(wanted: Record<string, string | number>) {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
}

function ChangesTable({ changes }: { changes: Change[] }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={760}>
        <Table.Thead><Table.Tr>{[says.at, says.by, says.act, says.name, says.detail].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.id} style={{ verticalAlign: "top" }}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>{when(change.at)}</Table.Td>
              <Table.Td><bdi>{change.by ?? says.product}</bdi></Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>{change.act}</Table.Td>
              <Table.Td>{strings.changes.kinds[change.kind] ?? change.kind}: <bdi>{change.name}</bdi></Table.Td>
              <Table.Td w="45%"><Difference change={change} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
