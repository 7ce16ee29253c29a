import { Group, Text } from "@mantine/core";
import type { ApiToken } from "@/api/types";
import { ActButton } from "./ActButton";
import type { Call } from "./useAct";
import { Dim } from "@/shared/page/Panel";
import { Joined, TimeIn } from "@/shared/words/Time";

/** A token that a script signs in with, and the way to end it. */
export function TokenRow({ token, revoke }: { token: ApiToken; revoke: () => Call<unknown> }) {
  const { name, is_read_only, created_at, last_used_at, expires_at } = token;
  return (
    <Group justify="space-between" mb="xs">
      <div>
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Dim>
          <Joined
            by=", "
            parts={[
              is_read_only && "read-only",
              <TimeIn at={created_at}>{(when) => `created ${when}`}</TimeIn>,
              last_used_at ? <TimeIn at={last_used_at}>{(when) => `last used ${when}`}</TimeIn> : "never used",
              expires_at ? <TimeIn at={expires_at}>{(when) => `valid until ${when}`}</TimeIn> : "no expiry",
            ]}
          />
        </Dim>
      </div>
      <ActButton act={revoke} question="Scripts that use it stop working at once. Revoke it?">
        Revoke
      </ActButton>
    </Group>
  );
}
