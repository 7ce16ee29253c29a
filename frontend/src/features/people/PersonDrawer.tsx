import { Button, Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { ColleagueDetail, Role } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { BarFigure } from "@/shared/BarFigure";
import { Estimate } from "@/shared/Estimate";
import { decimal, duration, percent, plural, ZONE } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { options } from "@/shared/options";
import { Facts } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { SecretOnce } from "@/shared/SecretOnce";
import { Sheet } from "@/shared/Sheet";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "./people.module.css";
import { says } from "./strings";
import { Tokens } from "./Tokens";

const HOUR_MS = 3_600_000;

export function PersonDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Sheet title={says.title} onClose={onClose}>
      {id && <Detail id={id} />}
    </Sheet>
  );
}

function Detail({ id }: { id: string }) {
  const person = useQuery(reading("/api/people/{id}/", { path: { id }, query: { tz: ZONE } }));
  return <Loaded query={person}>{(found) => <Person person={found} />}</Loaded>;
}

function Person({ person }: { person: ColleagueDetail }) {
  const days = person.days.map(({ day, labellings, active_ms }) => ({ day, labellings, hours: active_ms / HOUR_MS }));
  return (
    <Stack gap="lg">
      <Title order={2} size="h3">
        <bdi>{person.username}</bdi>
      </Title>
      <Facts
        facts={[
          { name: says.labellings, value: person.labellings },
          { name: says.active, value: duration(person.active_ms) },
          { name: says.pace, value: person.mean_ms ? duration(person.mean_ms) : "–" },
          {
            name: says.accuracy,
            value: <Estimate value={person.accuracy} interval={person.accuracy_interval} format={percent} />,
          },
        ]}
      />
      <Place person={person} />
      <section>
        <Title order={3} size="h5" mb="xs">
          {says.phases}
        </Title>
        {person.places.length === 0 && (
          <Text size="sm" c="dimmed">
            –
          </Text>
        )}
        <ul className={classes.list}>
          {person.places.map((place) => (
            <PhasePlace key={place.phase} person={person} place={place} />
          ))}
        </ul>
      </section>
      <Tokens person={person.id} />
      <BarFigure
        title={says.days30}
        lead={says.daysLead}
        rows={days}
        columns={[
          { key: "day", label: says.day },
          { key: "hours", label: says.hoursColumn, format: (hours) => decimal(hours, 2), color: "var(--series-1)" },
          { key: "labellings", label: says.labellings },
        ]}
      />
    </Stack>
  );
}

/** Role, and whether they may come in at all. */
function Place({ person }: { person: ColleagueDetail }) {
  const user = useUser();
  const change = useAct((changes: { role?: Role; is_active?: boolean }) =>
    client.PATCH("/api/people/{id}/", { params: { path: { id: person.id } }, body: changes }),
  );
  const deactivate = useAct(() =>
    client.PATCH("/api/people/{id}/", { params: { path: { id: person.id } }, body: { is_active: false } }),
  );
  const give = useAct(() => dataOf(client.POST("/api/people/{id}/password/", { params: { path: { id: person.id } } })));
  if (person.id === user.id)
    return (
      <Text size="sm" c="dimmed">
        {says.isSelf}
      </Text>
    );
  return (
    <Stack align="start" gap="sm">
      {change.isError && <Problem error={change.error} />}
      <NativeSelect
        label={says.role}
        value={person.role}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ role: event.currentTarget.value as Role })}
        data={options(strings.nav.roles)}
      />
      {give.data && (
        <SecretOnce
          key={give.data.password}
          label={says.password}
          hint={says.passwordOnce}
          secret={give.data.password}
        />
      )}
      {person.is_active ? (
        <Group align="start">
          <AskFirst act={give} name={says.givePassword} question={says.sureGivePassword} />
          <AskFirst act={deactivate} name={says.deactivate} question={says.sureDeactivate} />
        </Group>
      ) : (
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ is_active: true })}>
          {says.reactivate}
        </Button>
      )}
    </Stack>
  );
}

function PhasePlace({ person, place }: { person: ColleagueDetail; place: ColleagueDetail["places"][number] }) {
  const quality = person.qualities.find(({ phase }) => phase === place.phase)?.quality;
  const change = useAct((role: "annotator" | "expert") =>
    client.PATCH("/api/phases/{phase_id}/members/{user_id}/", {
      params: { path: { phase_id: place.phase, user_id: person.id } },
      body: { role },
    }),
  );
  return (
    <li className={classes.place}>
      {change.isError && <Problem error={change.error} />}
      <Text fw={600}>
        <bdi>{place.phase_name}</bdi>
        {place.is_paused && (
          <Text span size="sm" c="dimmed">
            {" "}
            {says.paused}
          </Text>
        )}
      </Text>
      <NativeSelect
        size="xs"
        aria-label={`${says.phaseRole}: ${place.phase_name}`}
        value={place.role}
        onChange={(event) => change.mutate(event.currentTarget.value as "annotator" | "expert")}
        data={options(says.phaseRoles)}
      />
      {quality?.accuracy != null && (
        <Text size="sm" c="dimmed">
          {percent(quality.accuracy)}, {plural(quality.tasks, "gold task")};{" "}
          {says.interval(percent(quality.low), percent(quality.high))}. {quality.is_drifting && says.drifting}
        </Text>
      )}
    </li>
  );
}
