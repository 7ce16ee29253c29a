import { Button, Group, NativeSelect, Switch, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Colleague, Role } from "@/api/types";
import { count, duration, percent, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import { Hours } from "./Hours";
import { Invitations } from "./Invitations";
import { InviteDialog } from "./InviteDialog";
import classes from "./people.module.css";
import { PersonDrawer } from "./PersonDrawer";
import { says } from "./strings";

/** Who works here: roles, pace and quality, invitations, hours for pay. */
export default function PeoplePage() {
  const [wanted, setWanted] = useState({ username: "", role: "" as Role | "", withInactive: false, page: 1 });
  const [asked] = useDebouncedValue(wanted, 250);
  const [opened, setOpened] = useState<string | null>(null);
  const [isInviting, setIsInviting] = useState(false);
  const people = useQuery({
    queryKey: ["people", asked],
    queryFn: () => dataOf(client.GET("/api/people/", { params: { query: {
      page: asked.page, username: asked.username, ...(asked.role && { role: asked.role }), ...(!asked.withInactive && { is_active: "True" as const }),
    } } })),
    placeholderData: (shown) => shown,
  });
  const want = (change: Partial<typeof wanted>) => setWanted({ ...wanted, page: 1, ...change });
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}><Button onClick={() => setIsInviting(true)}>{says.invite}</Button></PageTitle>
      <search className={classes.filters} aria-label={says.search}>
        <TextInput label={says.name} value={wanted.username} onChange={(event) => want({ username: event.currentTarget.value })} />
        <NativeSelect label={says.role} value={wanted.role} onChange={(event) => want({ role: event.currentTarget.value as Role | "" })}
          data={[{ value: "", label: says.anyRole }, ...Object.entries(strings.nav.roles).map(([value, label]) => ({ value, label }))]} />
        <Switch label={says.withInactive} checked={wanted.withInactive} onChange={(event) => want({ withInactive: event.currentTarget.checked })} />
      </search>
      <Loaded query={people}>
        {(list) => (list.results.length === 0 ? <Text c="dimmed">{says.none}</Text> : (
          <>
            <PeopleTable people={list.results} onOpen={setOpened} />
            <Pager page={wanted.page} list={list} onPage={(page) => setWanted({ ...wanted, page })} />
          </>
        ))}
      </Loaded>
      <Invitations />
      <Hours />
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <PersonDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function PeopleTable({ people, onOpen }: { people: Colleague[]; onOpen: (id: string) => void }) {
  return (
    <Panel isFlush>
      <Table highlightOnHover verticalSpacing="sm" miw={860}>
        <Table.Thead>
          <Table.Tr>{[says.name, says.role, says.phases, says.labellings, says.active, says.pace, says.accuracy, says.last].map((name) => <Table.Th key={name} scope="col">{name}</Table.Th>)}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>
                <Group gap="xs" wrap="nowrap">
                  <Button size="compact-sm" variant="subtle" aria-label={says.open(person.username)} onClick={() => onOpen(person.id)}><bdi>{person.username}</bdi></Button>
                  {!person.is_active && <Text size="xs" c="dimmed">{says.inactive}</Text>}
                </Group>
              </Table.Td>
              <Table.Td>{person.is_superuser ? says.superuser : strings.nav.roles[person.role ?? "annotator"]}</Table.Td>
              <Table.Td maw={260}><Text size="sm" truncate title={phasesOf(person)}>{phasesOf(person)}</Text></Table.Td>
              <Table.Td>{count(person.labellings)}</Table.Td>
              <Table.Td>{person.active_ms ? duration(person.active_ms) : "–"}</Table.Td>
              <Table.Td>{person.mean_ms ? duration(person.mean_ms) : "–"}</Table.Td>
              <Table.Td>{person.accuracy === null ? "–" : says.accuracyOf(percent(person.accuracy), person.gold_tasks)}</Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>{when(person.last_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function phasesOf({ places }: Colleague): string {
  return places.map(({ phase_name }) => phase_name).join(", ") || "–";
}
