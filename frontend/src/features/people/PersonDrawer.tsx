import { Button, Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { ColleagueDetail, Role } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { TokenRow } from "@/shared/forms/TokenRow";
import { AskFirst } from "@/shared/forms/AskFirst";
import { BarFigure } from "@/shared/figures/charts";
import { Estimate } from "@/shared/figures/Estimate";
import { decimal, duration, percent, plural, ZONE } from "@/shared/words/format";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { options, phaseRoles } from "@/shared/forms/choices";
import { Dim, Facts, Sheet } from "@/shared/page/Panel";
import { SecretOnce } from "@/shared/ui/SecretOnce";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";
import { PersonalData } from "./PersonalData";
import classes from "./people.module.css";

const HOUR_MS = 3_600_000;

export function PersonDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Sheet title="People" onClose={onClose}>
      {id && <Detail id={id} onGone={onClose} />}
    </Sheet>
  );
}

function Detail({ id, onGone }: { id: string; onGone: () => void }) {
  const person = useQuery(reading("/api/people/{id}/", { path: { id }, query: { tz: ZONE } }));
  return <Loaded query={person}>{(found) => <Person person={found} onGone={onGone} />}</Loaded>;
}

function Person({ person, onGone }: { person: ColleagueDetail; onGone: () => void }) {
  const days = person.days.map(({ day, labellings, active_ms }) => ({ day, labellings, hours: active_ms / HOUR_MS }));
  return (
    <Stack gap="lg">
      <Title order={2} size="h3">
        <bdi>{person.username}</bdi>
      </Title>
      <Facts
        facts={[
          { name: "Labellings", value: person.labellings },
          { name: "Active time", value: duration(person.active_ms) },
          { name: "Per labelling", value: person.mean_ms ? duration(person.mean_ms) : "–" },
          {
            name: "Gold accuracy",
            value: <Estimate value={person.accuracy} interval={person.accuracy_interval} format={percent} />,
          },
        ]}
      />
      <Place person={person} />
      <section>
        <Title order={3} size="h5" mb="xs">
          Phases
        </Title>
        {person.places.length === 0 && <Dim>–</Dim>}
        <ul className={classes.list}>
          {person.places.map((place) => (
            <PhasePlace key={place.phase} person={person} place={place} />
          ))}
        </ul>
      </section>
      <Tokens person={person.id} />
      <BarFigure
        title="Days worked"
        lead="The last 30 days with labellings: active hours."
        rows={days}
        columns={[
          { key: "day", label: "Day" },
          { key: "hours", label: "Hours", format: (hours) => decimal(hours, 2), color: "var(--series-1)" },
          { key: "labellings", label: "Labellings" },
        ]}
      />
      <PersonalData person={person} onGone={onGone} />
    </Stack>
  );
}

/** The person's role and access. */
function Place({ person }: { person: ColleagueDetail }) {
  const user = useUser();
  const params = { path: { id: person.id } };
  const send = (body: { role?: Role; is_active?: boolean }) => client.PATCH("/api/people/{id}/", { params, body });
  const change = useAct(send);
  const give = useAct(() => client.POST("/api/people/{id}/password/", { params }));
  if (person.id === user.id) return <Dim>Your own role and access can only be changed by another admin.</Dim>;
  return (
    <Stack align="start" gap="sm">
      {change.isError && <Problem error={change.error} />}
      <NativeSelect
        label="Role"
        value={person.role}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ role: event.currentTarget.value as Role })}
        data={options(strings.nav.roles)}
      />
      {give.data && (
        <SecretOnce
          key={give.data.password}
          label="Their new password"
          hint="Copy it now and hand it over: it is not shown again. They may change it on their account page."
          secret={give.data.password}
        />
      )}
      {person.is_active ? (
        <Group align="start">
          <AskFirst
            act={give}
            name="New password"
            question="If they forgot it: their old password stops working, and they are signed out."
          />
          <ActButton
            act={() =>
              client.DELETE("/api/people/{person_id}/second-factor/", { params: { path: { person_id: person.id } } })
            }
            question="If they lost their authenticator app: their password alone signs them in then."
          >
            Reset codes
          </ActButton>
          <ActButton
            act={() => send({ is_active: false })}
            question="Their tasks return to the queue, they are signed out, and their API tokens stop working. What they labelled stays."
          >
            Deactivate
          </ActButton>
        </Group>
      ) : (
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ is_active: true })}>
          Reactivate
        </Button>
      )}
    </Stack>
  );
}

function PhasePlace({ person, place }: { person: ColleagueDetail; place: ColleagueDetail["places"][number] }) {
  const quality = person.qualities.find(({ phase }) => phase === place.phase)?.quality;
  const change = useAct((role: typeof place.role) =>
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
        {place.is_paused && <Dim span> paused</Dim>}
      </Text>
      <NativeSelect
        size="xs"
        aria-label={`Role in the phase: ${place.phase_name}`}
        value={place.role}
        onChange={(event) => change.mutate(event.currentTarget.value as typeof place.role)}
        data={phaseRoles(person.is_superuser || person.role === "ml_staff")}
      />
      {quality?.accuracy != null && (
        <Dim>
          {`${percent(quality.accuracy)}, ${plural(quality.tasks, "gold task")}; 95 % interval ${percent(quality.low)} to ${percent(quality.high)}. `}
          {quality.is_drifting && "The last ten are clearly worse than what came before."}
        </Dim>
      )}
    </li>
  );
}

/** The tokens with which somebody's scripts sign in. */
function Tokens({ person }: { person: string }) {
  const tokens = useQuery(reading("/api/people/{person_id}/tokens/", { path: { person_id: person } }));
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        API tokens
      </Title>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Dim>–</Dim>
          ) : (
            list.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                revoke={() =>
                  client.DELETE("/api/people/{person_id}/tokens/{id}/", {
                    params: { path: { person_id: person, id: token.id } },
                  })
                }
              />
            ))
          )
        }
      </Loaded>
    </section>
  );
}
