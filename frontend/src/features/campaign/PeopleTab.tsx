import { Button, MultiSelect, NativeSelect, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Member, PhaseSettings } from "@/api/types";
import { count, duration, percent, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import classes from "./campaign.module.css";
import { membersQuery } from "./queries";
import { says } from "./strings";
import { useMember } from "./useMember";

const HEADS = [says.people.name, says.people.role, says.people.screening, says.people.labellings, says.people.time, says.people.last, says.people.quality, says.people.state];

/** Who labels in the phase, how it goes, and what admins do about it. */
export function PeopleTab({ phase }: { phase: PhaseSettings }) {
  const members = useQuery(membersQuery(phase.id));
  const { is_admin } = useUser();
  return (
    <div className={classes.stack}>
      <Loaded query={members}>
        {(list) => (list.length === 0 ? <Text c="dimmed">{says.people.none}</Text> : (
          <Panel isFlush>
            <Table verticalSpacing="sm" miw={980}>
              <Table.Thead><Table.Tr>{HEADS.map((name) => <Table.Th key={name}>{name}</Table.Th>)}{is_admin && <Table.Th />}</Table.Tr></Table.Thead>
              <Table.Tbody>{list.map((member) => <MemberRow key={member.id} phase={phase.id} member={member} />)}</Table.Tbody>
            </Table>
          </Panel>
        ))}
      </Loaded>
      {is_admin && members.data && <AddPeople phase={phase.id} members={members.data} />}
    </div>
  );
}

function MemberRow({ phase, member }: { phase: string; member: Member }) {
  const { is_admin } = useUser();
  const change = useMember(phase, member.id);
  const { quality } = member;
  return (
    <Table.Tr>
      <Table.Td fw={600}><bdi>{member.username}</bdi></Table.Td>
      <Table.Td>
        {is_admin
          ? <NativeSelect size="xs" miw={118} aria-label={says.people.roleOf(member.username)} value={member.role} data={Object.entries(says.people.roles).map(([value, label]) => ({ value, label }))}
              onChange={(event) => change.mutate({ role: event.currentTarget.value as NonNullable<Member["role"]> })} />
          : says.people.roles[member.role ?? "annotator"]}
      </Table.Td>
      <Table.Td>{screeningOf(member)}</Table.Td>
      <Table.Td>{count(member.labellings)}</Table.Td>
      <Table.Td>{member.mean_ms === null ? "–" : duration(member.mean_ms)}</Table.Td>
      <Table.Td>{when(member.last_at)}</Table.Td>
      <Table.Td>{quality.accuracy === null ? "–" : says.people.ofGold(percent(quality.accuracy), quality.tasks)}</Table.Td>
      <Table.Td>{!member.is_active ? says.people.inactive : member.is_paused ? says.people.paused : says.people.works}</Table.Td>
      {is_admin && (
        <Table.Td>
          <div className={classes.acts}>
            <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate({ is_paused: !member.is_paused })}>{member.is_paused ? says.people.goOn : says.people.pause}</Button>
            {!member.is_let_in && ["pending", "failed"].includes(member.screening) && <Button size="compact-sm" variant="default" onClick={() => change.mutate({ is_let_in: true })}>{says.people.letIn}</Button>}
          </div>
          {change.isError && <Problem error={change.error} />}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function screeningOf({ is_let_in, screening, screening_agreement, attempts }: Member): string {
  if (is_let_in) return says.people.passedOver;
  const state = says.people.states[screening] ?? screening;
  return screening_agreement === null ? state : says.people.agreed(state, percent(screening_agreement), attempts);
}

function AddPeople({ phase, members }: { phase: string; members: Member[] }) {
  const [usernames, setUsernames] = useState<string[]>([]);
  const people = useQuery({ queryKey: ["people", "all"], queryFn: () => dataOf(client.GET("/api/people/", { params: { query: { page_size: 500 } } })) });
  const add = useAct(() => client.POST("/api/phases/{phase_id}/members/", { params: { path: { phase_id: phase } }, body: { usernames } }), () => setUsernames([]));
  const inside = new Set(members.map(({ username }) => username));
  const others = (people.data?.results ?? []).filter((person) => person.is_active && !inside.has(person.username)).map(({ username }) => username);
  return (
    <Panel>
      <Title order={2} size="h5" mb="sm">{says.people.add}</Title>
      {add.isError && <Problem error={add.error} />}
      <div className={classes.form}>
        <MultiSelect label={says.people.names} data={others} value={usernames} onChange={setUsernames} searchable hidePickedOptions nothingFoundMessage={says.people.nobodyLeft} />
        <Button disabled={usernames.length === 0} loading={add.isPending} onClick={() => add.mutate()}>{says.people.addAct}</Button>
      </div>
    </Panel>
  );
}
