import { NativeSelect, Table, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import { Difference } from "@/shared/Difference";
import { when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { strings } from "@/shared/strings";
import classes from "./ChangesPage.module.css";
import { says } from "./strings";

const HEADS = [says.at, says.by, says.act, says.name, says.detail];
const NOTHING = { name: "", by: "", act: "", kind: "", from: "", to: "" };

/** The audit log: who changed what. */
export default function ChangesPage() {
  const [wanted, setWanted] = useState({ ...NOTHING, page: 1 });
  const [asked] = useDebouncedValue(wanted, 250);
  const changes = useQuery({ ...reading("/api/changes/", { query: filled(asked) }), placeholderData: keepPreviousData });
  const field = (name: keyof typeof NOTHING) => ({
    label: says[name], value: wanted[name], onChange: (event: { currentTarget: { value: string } }) => setWanted({ ...wanted, page: 1, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <search className={classes.filters} aria-label={says.search}>
        <TextInput {...field("name")} placeholder={says.namePlaceholder} />
        <TextInput {...field("by")} />
        <NativeSelect {...field("kind")} data={options({ "": says.anything, ...strings.changes.kinds })} />
        <TextInput {...field("from")} type="date" />
        <TextInput {...field("to")} type="date" />
      </search>
      <Listing query={changes} none={says.none} page={wanted.page} onPage={(page) => setWanted({ ...wanted, page })} heads={HEADS} width={760}>
        {(change) => (
          <Table.Tr key={change.id} style={{ verticalAlign: "top" }}>
            <Table.Td style={{ whiteSpace: "nowrap" }}>{when(change.at)}</Table.Td>
            <Table.Td><bdi>{change.by ?? says.product}</bdi></Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>{change.act}</Table.Td>
            <Table.Td>{strings.changes.kinds[change.kind] ?? change.kind}: <bdi>{change.name}</bdi></Table.Td>
            <Table.Td w="45%"><Difference change={change} /></Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </>
  );
}

function filled(wanted: Record<string, string | number>) {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
}
