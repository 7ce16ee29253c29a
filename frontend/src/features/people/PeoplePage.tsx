import { Anchor, Button, Group, NativeSelect, Switch, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Colleague, Role } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { Filters } from "@/shared/Filters";
import { between, count, duration, percent, sumOf } from "@/shared/format";
import { Listing, RowLink } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { roleName } from "@/shared/session";
import { Sheet } from "@/shared/Sheet";
import { listStrings } from "@/shared/listStrings";
import { strings } from "@/shared/strings";
import { useDrawer } from "@/shared/useDrawer";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { Hours } from "./Hours";
import { ImportPeople } from "./ImportPeople";
import { Invitations } from "./Invitations";
import { InviteDialog } from "./InviteDialog";
import { PersonDrawer } from "./PersonDrawer";
import { says } from "./strings";

const HEADS = [
  { head: says.name, by: "username" },
  says.role,
  says.phases,
  { head: says.labellings, by: "-labellings" },
  { head: says.active, by: "-active_ms" },
  { head: says.pace, by: "mean_ms" },
  { head: says.accuracy, by: "accuracy" },
  { head: says.last, by: "-last_at" },
];

const NOTHING: { username: string; role: Role | ""; inactive: "shown" | "" } = { username: "", role: "", inactive: "" };

/** Who works here: roles, pace and quality, invitations, hours for pay. */
export default function PeoplePage() {
  const { list, filters, narrow, field } = usePages(
    NOTHING,
    ({ inactive, ...query }) => reading("/api/people/", { query: inactive ? query : { ...query, is_active: true } }),
    { usual: "username" },
  );
  const drawer = useDrawer("/people");
  const [isInviting, setIsInviting] = useState(false);
  const [isImporting, setIsImporting] = useState(false);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}>
        <Group gap="xs">
          <Button onClick={() => setIsInviting(true)}>{says.invite}</Button>
          <Button variant="default" onClick={() => setIsImporting(true)}>
            {says.importMany}
          </Button>
        </Group>
      </PageTitle>
      <Filters name={says.search}>
        <TextInput label={says.name} {...field("username")} />
        <NativeSelect label={says.role} {...field("role")} data={options({ "": says.anyRole, ...strings.nav.roles })} />
        <Switch
          label={says.withInactive}
          checked={filters.inactive !== ""}
          onChange={(event) => narrow({ inactive: event.currentTarget.checked ? "shown" : "" })}
        />
      </Filters>
      <AsOf query={{ ...list.query, data: list.query.data?.results[0] }} />
      <Listing {...list} unit={says.unit} none={says.none} heads={HEADS} width={900} foot={Sums}>
        {(person) => <PersonRow key={person.id} person={person} href={drawer.hrefOf(person.id)} />}
      </Listing>
      <Invitations />
      <Hours />
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <Sheet title={says.importMany} onClose={() => setIsImporting(false)}>
        {isImporting && <ImportPeople onDone={() => setIsImporting(false)} />}
      </Sheet>
      <PersonDrawer id={drawer.id} onClose={drawer.close} />
    </>
  );
}

function Sums(people: readonly Colleague[]) {
  return (
    <Table.Tr>
      <Table.Th scope="row" colSpan={3}>
        {listStrings.sum}
      </Table.Th>
      <Table.Td>{count(sumOf(people, ({ labellings }) => labellings))}</Table.Td>
      <Table.Td>{duration(sumOf(people, ({ active_ms }) => active_ms))}</Table.Td>
      <Table.Td colSpan={3} />
    </Table.Tr>
  );
}

function PersonRow({ person, href }: { person: Colleague; href: string }) {
  const phases = person.places.map(({ phase_name }) => phase_name).join(", ") || "–";
  return (
    <Table.Tr>
      <Table.Td maw={220}>
        <Anchor
          component={RowLink}
          href={href}
          size="sm"
          fw={600}
          display="block"
          truncate
          title={person.username}
          aria-label={says.open(person.username)}
        >
          <bdi>{person.username}</bdi>
        </Anchor>
        {!person.is_active && (
          <Text size="xs" c="dimmed">
            {says.inactive}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{roleName(person)}</Table.Td>
      <Table.Td maw={220}>
        <Text size="sm" truncate title={phases}>
          {phases}
        </Text>
      </Table.Td>
      <Table.Td>{count(person.labellings)}</Table.Td>
      <Table.Td>{person.active_ms ? duration(person.active_ms) : "–"}</Table.Td>
      <Table.Td>{person.mean_ms ? duration(person.mean_ms) : "–"}</Table.Td>
      <Table.Td>
        {person.accuracy === null ? (
          "–"
        ) : (
          <>
            {says.accuracyOf(percent(person.accuracy), person.gold_tasks)}{" "}
            <Text span size="xs" c="dimmed">
              {between(person.accuracy_interval, percent)}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={person.last_at} />
      </Table.Td>
    </Table.Tr>
  );
}
