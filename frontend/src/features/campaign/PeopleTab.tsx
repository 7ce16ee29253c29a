import { Button, MultiSelect, NativeSelect, Table, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Member, PhaseSettings } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { between, count, duration, percent, sumOf, plural } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { listStrings } from "@/shared/listStrings";
import { strings } from "@/shared/strings";
import { useForm } from "@/shared/useForm";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import classes from "./campaign.module.css";
import { says } from "./strings";
import { useMember } from "./useMember";

const HEADS = [
  { head: says.people.name, by: "username" },
  "Role",
  "Screening",
  { head: "Labellings", by: "-labellings" },
  { head: "Per task", by: "mean_ms" },
  { head: "Last seen", by: "-last_at" },
  { head: "On gold", by: "accuracy" },
  says.people.state,
];

/** Who labels in the phase, how it goes, and what admins do about it. */
export function PeopleTab({ phase }: { phase: PhaseSettings }) {
  const { list } = usePages(
    {},
    (query) => reading("/api/phases/{phase_id}/members/", { path: { phase_id: phase.id }, query }),
    { usual: "username" },
  );
  const { is_admin } = useUser();
  return (
    <div className={classes.stack}>
      <AsOf query={{ ...list.query, data: list.query.data?.results[0] }} />
      <Listing
        {...list}
        unit={says.people.unit}
        none="Nobody is in this phase yet."
        heads={is_admin ? [...HEADS, ""] : HEADS}
        width={920}
        foot={Sums}
      >
        {(member) => <MemberRow key={member.id} phase={phase.id} member={member} />}
      </Listing>
      {is_admin && <AddPeople phase={phase.id} />}
    </div>
  );
}

function Sums(members: readonly Member[]) {
  return (
    <Table.Tr>
      <Table.Th scope="row" colSpan={3}>
        {listStrings.sum}
      </Table.Th>
      <Table.Td>{count(sumOf(members, ({ labellings }) => labellings))}</Table.Td>
    </Table.Tr>
  );
}

function MemberRow({ phase, member }: { phase: string; member: Member }) {
  const { is_admin } = useUser();
  const change = useMember(phase, member.id);
  const { quality } = member;
  return (
    <Table.Tr>
      <Table.Td fw={600} maw={220} style={{ overflowWrap: "anywhere" }}>
        <bdi>{member.username}</bdi>
      </Table.Td>
      <Table.Td>
        {is_admin ? (
          <NativeSelect
            size="xs"
            miw={118}
            aria-label={`Role of ${member.username}`}
            value={member.role}
            data={options(says.people.roles)}
            onChange={(event) => change.mutate({ role: event.currentTarget.value as NonNullable<Member["role"]> })}
          />
        ) : (
          says.people.roles[member.role]
        )}
      </Table.Td>
      <Table.Td>{screeningOf(member)}</Table.Td>
      <Table.Td>{count(member.labellings)}</Table.Td>
      <Table.Td>{member.mean_ms === null ? "–" : duration(member.mean_ms)}</Table.Td>
      <Table.Td>
        <Time at={member.last_at} />
      </Table.Td>
      <Table.Td>
        {quality.accuracy === null ? (
          "–"
        ) : (
          <>
            {`${percent(quality.accuracy)} of ${plural(quality.tasks, "task")}`}{" "}
            <Text span size="xs" c="dimmed">
              {between([quality.low, quality.high], percent)}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td>{!member.is_active ? "Inactive" : member.is_paused ? "Paused" : says.people.works}</Table.Td>
      {is_admin && (
        <Table.Td>
          <div className={classes.acts}>
            <Button
              size="compact-sm"
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ is_paused: !member.is_paused })}
            >
              {member.is_paused ? "Resume" : "Pause"}
            </Button>
            {!member.is_let_in && ["pending", "failed"].includes(member.screening) && (
              <Button size="compact-sm" variant="default" onClick={() => change.mutate({ is_let_in: true })}>
                Admit
              </Button>
            )}
          </div>
          {change.isError && <Problem error={change.error} />}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function screeningOf({ is_let_in, screening, screening_agreement, attempts }: Member): string {
  if (is_let_in) return "Admitted by an admin";
  const state = says.people.states[screening] ?? screening;
  if (attempts === 0) return state;
  return says.people.tried(
    screening_agreement === null ? state : `${state}, ${percent(screening_agreement)}`,
    attempts,
  );
}

/** Whoever is not in it yet, found by a part of the name. */
function AddPeople({ phase }: { phase: string }) {
  const {
    form,
    values: { usernames },
    many,
  } = useForm(
    { usernames: [] as string[] },
    (body) => client.POST("/api/phases/{phase_id}/members/", { params: { path: { phase_id: phase } }, body }),
    (_, set) => set({ usernames: [] }),
  );
  const [typed, setTyped] = useState("");
  const [username] = useDebouncedValue(typed, 250);
  const people = useQuery({
    ...reading("/api/people/", { query: { username, is_active: true, outside: phase } }),
    placeholderData: keepPreviousData,
  });
  const outside = people.data?.results.map((person) => person.username) ?? [];
  return (
    <Panel title="Add people">
      <Form {...form} className={classes.form}>
        <MultiSelect
          label="Who"
          data={[...new Set([...usernames, ...outside])]}
          {...many("usernames")}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          hidePickedOptions
          nothingFoundMessage={people.data ? "Nobody else has this name." : strings.loading}
        />
        {people.isError && <Problem error={people.error} onRetry={() => void people.refetch()} />}
        <Submit variant="default" disabled={usernames.length === 0}>
          Add to the phase
        </Submit>
      </Form>
    </Panel>
  );
}
