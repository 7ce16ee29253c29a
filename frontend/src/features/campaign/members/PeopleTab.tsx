import { Group, MultiSelect, NativeSelect, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Member, PhaseSettings } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { AsOf } from "@/shared/tables/AsOf";
import { type Shown, Listing } from "@/shared/tables/Listing";
import { Form } from "@/shared/forms/Form";
import { between, count, duration, percent, plural, sumOf } from "@/shared/words/format";
import { phaseRoles } from "@/shared/forms/choices";
import { Panel } from "@/shared/page/Panel";
import { Problem } from "@/shared/page/Loaded";
import { useUser } from "@/shared/session/session";
import { PHASE_ROLES } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { Submit } from "@/shared/forms/Submit";
import { Time } from "@/shared/words/Time";
import { useAct } from "@/shared/forms/useAct";
import { useForm } from "@/shared/forms/useForm";
import { usePages } from "@/shared/tables/usePages";
import classes from "../campaign.module.css";
import { changeMember, PauseButton, RemoveButton } from "./members";

const isLabelling = ({ role }: Member) => role !== "ml_staff";

function columns(phase: string, isAdmin: boolean): Shown<Member>[] {
  const all: Shown<Member>[] = [
    {
      head: "Name",
      by: "username",
      td: { fw: 600, maw: 220, style: { overflowWrap: "anywhere" } },
      cell: ({ username }) => <bdi>{username}</bdi>,
    },
    {
      head: "Role",
      cell: (member) => (isAdmin ? <RoleChoice phase={phase} member={member} /> : PHASE_ROLES[member.role]),
    },
    { head: "Screening", cell: (member) => (isLabelling(member) ? screeningOf(member) : "–") },
    {
      head: "Labellings",
      by: "-labellings",
      cell: ({ labellings }) => count(labellings),
      sum: (members) => count(sumOf(members, ({ labellings }) => labellings)),
    },
    { head: "Per task", by: "mean_ms", cell: ({ mean_ms }) => (mean_ms === null ? "–" : duration(mean_ms)) },
    { head: "Last seen", by: "-last_at", cell: ({ last_at }) => <Time at={last_at} /> },
    { head: "On gold", by: "accuracy", cell: ({ quality }) => <OnGold quality={quality} /> },
    {
      head: "State",
      cell: ({ is_active, is_paused }) => (!is_active ? "Inactive" : is_paused ? "Paused" : "Active"),
    },
  ];
  return isAdmin ? [...all, { head: "", cell: (member) => <Acts phase={phase} member={member} /> }] : all;
}

/** The phase's members with their progress, and the admins' acts on them. */
export function PeopleTab({ phase: { id } }: { phase: PhaseSettings }) {
  const { list } = usePages(
    {},
    (query) => reading("/api/phases/{phase_id}/members/", { path: { phase_id: id }, query }),
    { usual: "username" },
  );
  const { is_admin } = useUser();
  return (
    <Stack gap="lg">
      <AsOf query={{ ...list.query, data: list.query.data?.results[0] }} />
      <Listing
        {...list}
        columns={columns(id, is_admin)}
        keyOf={(member) => member.id}
        unit={["person", "people"]}
        none="Nobody is in this phase yet."
        width={920}
      />
      {is_admin && <AddPeople phase={id} />}
    </Stack>
  );
}

function RoleChoice({ phase, member }: { phase: string; member: Member }) {
  const change = useAct((role: Member["role"]) => changeMember(phase, member, { role }));
  return (
    <>
      <NativeSelect
        size="xs"
        miw={118}
        aria-label={`Role of ${member.username}`}
        value={member.role}
        data={phaseRoles(member.is_ml_staff)}
        onChange={(event) => change.mutate(event.currentTarget.value as Member["role"])}
      />
      {change.isError && <Problem error={change.error} />}
    </>
  );
}

function OnGold({ quality: { accuracy, tasks, low, high } }: Pick<Member, "quality">) {
  if (accuracy === null) return "–";
  return (
    <>
      {`${percent(accuracy)} of ${plural(tasks, "task")} `}
      <Text span size="xs" c="dimmed">
        {between([low, high], percent)}
      </Text>
    </>
  );
}

function Acts({ phase, member }: { phase: string; member: Member }) {
  return (
    <Group gap="xs">
      {isLabelling(member) && <PauseButton phase={phase} member={member} />}
      {isLabelling(member) && !member.is_let_in && ["pending", "failed"].includes(member.screening) && (
        <ActButton act={() => changeMember(phase, member, { is_let_in: true })}>Admit</ActButton>
      )}
      <RemoveButton phase={phase} member={member} />
    </Group>
  );
}

function screeningOf({ is_let_in, screening, screening_agreement, attempts }: Member): string {
  if (is_let_in) return "Admitted by an admin";
  const state = screening || "none";
  if (attempts === 0) return state;
  const agreed = screening_agreement === null ? "" : `, ${percent(screening_agreement)}`;
  return `${state}${agreed} (${plural(attempts, "attempt")})`;
}

/** Adds people who are not in the phase yet, found by a part of the name. */
function AddPeople({ phase }: { phase: string }) {
  const { form, values, many } = useForm(
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
          data={[...new Set([...values.usernames, ...outside])]}
          {...many("usernames")}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          hidePickedOptions
          nothingFoundMessage={people.data ? "Nobody else has this name." : strings.loading}
        />
        {people.isError && <Problem error={people.error} onRetry={() => void people.refetch()} />}
        <Submit variant="default" disabled={values.usernames.length === 0}>
          Add to the phase
        </Submit>
      </Form>
    </Panel>
  );
}
