import { Anchor, Button, NativeSelect, Switch, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Colleague, Role } from "@/api/types";
import { count, duration, percent, when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { strings } from "@/shared/strings";
import { Hours } from "./Hours";
import { Invitations } from "./Invitations";
import { InviteDialog } from "./InviteDialog";
import classes from "./people.module.css";
import { PersonDrawer } from "./PersonDrawer";
import { says } from "./strings";

const HEADS = [says.name, says.role, says.phases, says.labellings, says.active, says.pace, says.accuracy, says.last];

/** Who works here: roles, pace and quality, invitations, hours for pay. */
export default function PeoplePage() {
  const [wanted, setWanted] = useState({ username: "", role: "" as Role | "", withInactive: false, page: 1 });
  const [asked] = useDebouncedValue(wanted, 250);
  const [opened, setOpened] = useState<string | null>(null);
  const [isInviting, setIsInviting] = useState(false);
  const query = { page: asked.page, username: asked.username, ...(asked.role && { role: asked.role }), ...(!asked.withInactive && { is_active: "True" as const }) };
  const people = useQuery({ ...reading("/api/people/", { query }), placeholderData: keepPreviousData });
  const want = (change: Partial<typeof wanted>) => setWanted({ ...wanted, page: 1, ...change });
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}><Button onClick={() => setIsInviting(true)}>{says.invite}</Button></PageTitle>
      <search className={classes.filters} aria-label={says.search}>
        <TextInput label={says.name} value={wanted.username} onChange={(event) => want({ username: event.currentTarget.value })} />
        <NativeSelect label={says.role} value={wanted.role} onChange={(event) => want({ role: event.currentTarget.value as Role | "" })}
          data={options({ "": says.anyRole, ...strings.nav.roles })} />
        <Switch label={says.withInactive} checked={wanted.withInactive} onChange={(event) => want({ withInactive: event.currentTarget.checked })} />
      </search>
      <Listing query={people} none={says.none} page={wanted.page} onPage={(page) => setWanted({ ...wanted, page })} heads={HEADS} width={980}>
        {(person) => <PersonRow key={person.id} person={person} onOpen={setOpened} />}
      </Listing>
      <Invitations />
      <Hours />
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <PersonDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function PersonRow({ person, onOpen }: { person: Colleague; onOpen: (id: string) => void }) {
  const phases = person.places.map(({ phase_name }) => phase_name).join(", ") || "–";
  return (
    <Table.Tr>
      <Table.Td maw={220}>
        <Anchor component="button" size="sm" fw={600} truncate maw="100%" title={person.username} aria-label={says.open(person.username)} onClick={() => onOpen(person.id)}><bdi>{person.username}</bdi></Anchor>
        {!person.is_active && <Text size="xs" c="dimmed">{says.inactive}</Text>}
      </Table.Td>
      <Table.Td>{person.is_superuser ? says.superuser : strings.nav.roles[person.role ?? "annotator"]}</Table.Td>
      <Table.Td maw={220}><Text size="sm" truncate title={phases}>{phases}</Text></Table.Td>
      <Table.Td>{count(person.labellings)}</Table.Td>
      <Table.Td>{person.active_ms ? duration(person.active_ms) : "–"}</Table.Td>
      <Table.Td>{person.mean_ms ? duration(person.mean_ms) : "–"}</Table.Td>
      <Table.Td>{person.accuracy === null ? "–" : says.accuracyOf(percent(person.accuracy), person.gold_tasks)}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{when(person.last_at)}</Table.Td>
    </Table.Tr>
  );
}
