import { Checkbox, Group, NumberInput, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { ApiToken } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { SecretOnce } from "@/shared/SecretOnce";
import { roleName, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { numberOrNull, useForm, type Filled } from "@/shared/useForm";
import { TimeIn } from "@/shared/Time";
import { says } from "./strings";

/** What is one's own: the password, and the tokens of one's scripts. */
export default function AccountPage() {
  const user = useUser();
  const tokens = useQuery(reading("/api/tokens/"));
  return (
    <Stack maw={720} mx="auto" w="100%" px="md" py="xl">
      <PageTitle title={says.title} lead={says.lead(roleName(user))} />
      <Panel>
        <Title order={2} size="h4" mb="md">
          {says.password}
        </Title>
        <ChangePassword username={user.username} />
      </Panel>
      <Panel>
        <Stack>
          <Title order={2} size="h4">
            {says.tokens}
          </Title>
          <Text size="sm" c="dimmed">
            {says.about} {says.how} <code>Authorization: Token …</code>
          </Text>
          <Loaded query={tokens}>
            {(list) => (
              <>
                {list.length === 0 && <Text size="sm">{says.none}</Text>}
                {list.map((token) => (
                  <Token key={token.id} token={token} />
                ))}
              </>
            )}
          </Loaded>
          <NewToken />
        </Stack>
      </Panel>
    </Stack>
  );
}

function ChangePassword({ username }: { username: string }) {
  const {
    form,
    act: change,
    text,
  } = useForm(
    { password: "", new_password: "" },
    (body) => client.POST("/api/session/password/", { body }),
    (_, set) => set({ password: "", new_password: "" }),
  );
  return (
    <Form {...form}>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={says.now}
        {...text("password")}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <PasswordInput
        label={says.next}
        description={says.nextHint}
        {...text("new_password")}
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={8}
      />
      <Group>
        <Submit>{says.change}</Submit>
        {change.isSuccess && (
          <Text size="sm" role="status">
            {says.changed}
          </Text>
        )}
      </Group>
    </Form>
  );
}

function Token({ token }: { token: ApiToken }) {
  const revoke = useAct(() => client.DELETE("/api/tokens/{id}/", { params: { path: { id: token.id } } }));
  return (
    <Group justify="space-between">
      <div>
        <Text fw={600}>
          <bdi>{token.name}</bdi>
          {token.is_read_only && (
            <Text span size="sm" c="dimmed">
              {" "}
              ({says.readsOnly})
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          <TimeIn at={token.created_at}>{says.made}</TimeIn>,{" "}
          {token.last_used_at ? <TimeIn at={token.last_used_at}>{says.used}</TimeIn> : says.unused},{" "}
          {token.expires_at ? <TimeIn at={token.expires_at}>{says.until}</TimeIn> : says.noEnd}
        </Text>
      </div>
      <AskFirst act={revoke} name={says.revoke} question={says.sure} />
    </Group>
  );
}

const NEW_TOKEN = { name: "", is_read_only: false, days: "" as Filled };

function NewToken() {
  const {
    form,
    act: make,
    text,
    number,
    flag,
  } = useForm(
    NEW_TOKEN,
    (asked) => dataOf(client.POST("/api/tokens/", { body: { ...asked, days: numberOrNull(asked.days) } })),
    (_, set) => set({ name: "" }),
  );
  return (
    <Form {...form}>
      {make.data && <SecretOnce key={make.data.id} label={says.secret} hint={says.once} secret={make.data.secret} />}
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput label={says.name} {...text("name")} required maxLength={100} flex={1} />
        <NumberInput
          label={says.days}
          placeholder={says.forGood}
          {...number("days")}
          min={1}
          max={3650}
          allowDecimal={false}
          w={130}
        />
      </Group>
      <Checkbox label={says.readOnly} description={says.readOnlyHint} {...flag("is_read_only")} />
      <Group>
        <Submit>{says.make}</Submit>
      </Group>
    </Form>
  );
}
