import { Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { ApiToken } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Loaded } from "@/shared/Loaded";
import { useAct } from "@/shared/useAct";
import { Joined, TimeIn } from "@/shared/Time";
import { says } from "./strings";

/** What somebody's scripts sign in with. */
export function Tokens({ person }: { person: string }) {
  const tokens = useQuery(reading("/api/people/{person_id}/tokens/", { path: { person_id: person } }));
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {says.tokens}
      </Title>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              –
            </Text>
          ) : (
            list.map((token) => <Token key={token.id} person={person} token={token} />)
          )
        }
      </Loaded>
    </section>
  );
}

function Token({ person, token }: { person: string; token: ApiToken }) {
  const revoke = useAct(() =>
    client.DELETE("/api/people/{person_id}/tokens/{id}/", { params: { path: { person_id: person, id: token.id } } }),
  );
  const facts = [
    token.is_read_only && says.readOnly,
    token.last_used_at ? <TimeIn at={token.last_used_at}>{says.used}</TimeIn> : says.unused,
    token.expires_at && <TimeIn at={token.expires_at}>{says.validUntil}</TimeIn>,
  ];
  return (
    <Group justify="space-between" mb="xs">
      <div>
        <Text size="sm" fw={600}>
          <bdi>{token.name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <Joined by=", " parts={facts} />
        </Text>
      </div>
      <AskFirst act={revoke} name={says.revoke} question={says.sureRevokeToken} />
    </Group>
  );
}
