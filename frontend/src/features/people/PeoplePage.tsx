import { Anchor, Button, Group, NativeSelect, Switch, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Colleague, Role } from "@/api/types";
import { AsOf } from "@/shared/tables/AsOf";
import { between, count, duration, percent, sumOf, ZONE } from "@/shared/words/format";
import { Filters, Listing, RowLink, type Shown, TIGHT } from "@/shared/tables/Listing";
import { options } from "@/shared/forms/choices";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Panel, Sheet, Tiny } from "@/shared/page/Panel";
import { roleName } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { Time } from "@/shared/words/Time";
import { useDrawer } from "@/shared/tables/useDrawer";
import { usePages } from "@/shared/tables/usePages";
import { ImportPeople } from "./ImportPeople";
import { Invitations, InviteDialog } from "./Invitations";
import { PersonDrawer } from "./PersonDrawer";
import classes from "./people.module.css";

const columns = (hrefOf: (id: string) => string): Shown<Colleague>[] => [
  {
    head: "Name",
    by: "username",
    td: { maw: 220 },
    cell: ({ id, username, is_active }) => (
      <>
        <Anchor
          component={RowLink}
          href={hrefOf(id)}
          size="sm"
          fw={600}
          display="block"
          truncate
          title={username}
          aria-label={`Open ${username}`}
        >
          <bdi>{username}</bdi>
        </Anchor>
        {!is_active && <Tiny>deactivated</Tiny>}
      </>
    ),
  },
  { head: "Role", cell: roleName },
  {
    head: "Phases",
    td: { maw: 220 },
    cell: ({ places }) => {
      const phases = places.map(({ phase_name }) => phase_name).join(", ") || "–";
      return (
        <Text size="sm" truncate title={phases}>
          {phases}
        </Text>
      );
    },
  },
  {
    head: "Labellings",
    by: "-labellings",
    cell: ({ labellings }) => count(labellings),
    sum: (people) => count(sumOf(people, ({ labellings }) => labellings)),
  },
  {
    head: "Active time",
    by: "-active_ms",
    cell: ({ active_ms }) => (active_ms ? duration(active_ms) : "–"),
    sum: (people) => duration(sumOf(people, ({ active_ms }) => active_ms)),
  },
  { head: "Per labelling", by: "mean_ms", cell: ({ mean_ms }) => (mean_ms ? duration(mean_ms) : "–") },
  {
    head: "Gold accuracy",
    by: "accuracy",
    cell: ({ accuracy, gold_tasks, accuracy_interval }) =>
      accuracy === null ? (
        "–"
      ) : (
        <>
          {`${percent(accuracy)} of ${gold_tasks} `}
          <Tiny span>{between(accuracy_interval, percent)}</Tiny>
        </>
      ),
  },
  { head: "Last labelling", by: "-last_at", td: TIGHT, cell: ({ last_at }) => <Time at={last_at} /> },
];

const NOTHING: { username: string; role: Role | ""; inactive: "shown" | "" } = { username: "", role: "", inactive: "" };

/** The people: roles, pace and quality, invitations, hours for payroll. */
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
      <Listing
        {...list}
        columns={columns(drawer.hrefOf)}
        keyOf={({ id }) => id}
        unit={["person", "people"]}
        none="No matches."
        width={900}
      />
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

/** Downloads hours for payroll as CSV, streamed by the server. The browser's form check refuses a half-typed day. */
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
