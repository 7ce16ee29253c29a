import { Anchor, Button, Group, NativeSelect, Switch, Table, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Colleague, Role } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { between, count, duration, percent, sumOf, ZONE } from "@/shared/format";
import { Filters, Listing, RowLink } from "@/shared/Listing";
import { options } from "@/shared/choices";
import { PageTitle } from "@/shared/PageTitle";
import { Dim, Panel, Sheet, Tiny } from "@/shared/Panel";
import { roleName } from "@/shared/session";
import { strings } from "@/shared/strings";
import { Time } from "@/shared/Time";
import { useDrawer } from "@/shared/useDrawer";
import { usePages } from "@/shared/usePages";
import { ImportPeople } from "./ImportPeople";
import { Invitations, InviteDialog } from "./Invitations";
import { PersonDrawer } from "./PersonDrawer";
import classes from "./people.module.css";

const HEADS = [
  { head: "Name", by: "username" },
  "Role",
  "Phases",
  { head: "Labellings", by: "-labellings" },
  { head: "Active time", by: "-active_ms" },
  { head: "Per labelling", by: "mean_ms" },
  { head: "Gold accuracy", by: "accuracy" },
  { head: "Last labelling", by: "-last_at" },
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
      <PageTitle title="People" lead="Who works here, how much, how fast and how well.">
        <Group gap="xs">
          <Button onClick={() => setIsInviting(true)}>Invite</Button>
          <Button variant="default" onClick={() => setIsImporting(true)}>
            Add many
          </Button>
        </Group>
      </PageTitle>
      <Filters name="Search people">
        <TextInput label="Name" {...field("username")} />
        <NativeSelect label="Role" {...field("role")} data={options({ "": "Any role", ...strings.nav.roles })} />
        <Switch
          label="Show deactivated people"
          checked={filters.inactive !== ""}
          onChange={(event) => narrow({ inactive: event.currentTarget.checked ? "shown" : "" })}
        />
      </Filters>
      <AsOf query={{ ...list.query, data: list.query.data?.results[0] }} />
      <Listing {...list} unit={["person", "people"]} none="No matches." heads={HEADS} width={900} foot={Sums}>
        {(person) => <PersonRow key={person.id} person={person} href={drawer.hrefOf(person.id)} />}
      </Listing>
      <Invitations />
      <Hours />
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <Sheet title="Add many" onClose={() => setIsImporting(false)}>
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
        Sum
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
          aria-label={`Open ${person.username}`}
        >
          <bdi>{person.username}</bdi>
        </Anchor>
        {!person.is_active && <Tiny>deactivated</Tiny>}
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
            {`${percent(person.accuracy)} of ${person.gold_tasks} `}
            <Tiny span>{between(person.accuracy_interval, percent)}</Tiny>
          </>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={person.last_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Hours for pay: the server writes the file while it is downloaded. The browser refuses a day that is half typed. */
export function Hours() {
  const [period, setPeriod] = useState({ from: "", to: "" });
  const isReversed = period.from !== "" && period.to !== "" && period.from > period.to;
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">
        Hours for payroll
      </Title>
      <Panel>
        <Dim mb="sm">
          {`Active time by person, day and phase, as a CSV file. Days are those of your time zone, ${ZONE}.`}
        </Dim>
        <form action="/api/people/hours/">
          <input type="hidden" name="tz" value={ZONE} />
          <Group align="start">
            {(["from", "to"] as const).map((name) => (
              <TextInput
                key={name}
                name={name}
                type="date"
                label={name === "from" ? "From" : "To"}
                value={period[name]}
                error={name === "to" && isReversed && "This is before the first day."}
                onChange={(event) => setPeriod({ ...period, [name]: event.currentTarget.value })}
              />
            ))}
            <Button type="submit" variant="default" disabled={isReversed} mt={25}>
              Download CSV
            </Button>
          </Group>
        </form>
      </Panel>
    </section>
  );
}
