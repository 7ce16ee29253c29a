import { Button, Checkbox, Group, NumberInput, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import { TokenRow } from "@/shared/forms/TokenRow";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { holdBelow } from "@/shared/page/holdBelow";
import { Loaded } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { Panel } from "@/shared/page/Panel";
import { SecretOnce } from "@/shared/ui/SecretOnce";
import { roleName, useUser } from "@/shared/session/session";
import { SecondFactor } from "./SecondFactor";
import { Sessions } from "./Sessions";
import { useForm } from "@/shared/forms/useForm";
import { usePasswordRules, waysQuery } from "@/shared/session/ways";

/** One's own account: the password, and the tokens of one's scripts. */
export default function AccountPage() {
  const user = useUser();
  const tokens = useQuery(reading("/api/tokens/"));
  return (
    <Stack ref={holdBelow} maw={720} mx="auto" w="100%" px="md" py="xl">
      <PageTitle title="Your account" lead={`Your role: ${roleName(user)}.`} />
      <Panel>
        <Title order={2} size="h4" mb="md">
          Password
        </Title>
        <ChangePassword username={user.username} />
      </Panel>
      <SecondFactor />
      <SingleSignOn />
      <Sessions />
      <Panel>
        <Stack>
          <Title order={2} size="h4">
            API tokens
          </Title>
          <Text size="sm" c="dimmed">
            A script that sends one can do anything that you can. Treat it like a password. Send it as a header:{" "}
            <code>Authorization: Token …</code>
          </Text>
          <Loaded query={tokens}>
            {(list) => (
              <>
                {list.length === 0 && <Text size="sm">You have no tokens.</Text>}
                {list.map((token) => (
                  <TokenRow
                    key={token.id}
                    token={token}
                    revoke={() => client.DELETE("/api/tokens/{id}/", { params: { path: { id: token.id } } })}
                  />
                ))}
              </>
            )}
          </Loaded>
          <NewToken />
        </Stack>
      </Panel>
      <Panel>
        <Stack align="start">
          <Title order={2} size="h4">
            Your data
          </Title>
          <Text size="sm" c="dimmed">
            Everything that is kept about you: your account, what you labelled and wrote, and when you signed in. To
            have it erased, ask an admin.
          </Text>
          <Button component="a" variant="default" href="/api/session/data/" download>
            Download your data
          </Button>
        </Stack>
      </Panel>
    </Stack>
  );
}

/** Connects the account with the organisation’s single sign-on, if there is one. */
function SingleSignOn() {
  const isRefused = new URLSearchParams(location.search).get("sso") === "refused";
  return (
    <Loaded query={useQuery(waysQuery)}>
      {({ single_sign_on: name }) =>
        name && (
          <Panel>
            <Stack align="start">
              <Title order={2} size="h4">
                {`Sign in with ${name}`}
              </Title>
              {isRefused && (
                <Text size="sm" role="alert">
                  Not connected: that account is somebody’s already, or you signed in here too long ago. Sign in again
                  first.
                </Text>
              )}
              <Button component="a" variant="default" href="/sso/oidc/login/?process=connect">
                Connect
              </Button>
            </Stack>
          </Panel>
        )
      }
    </Loaded>
  );
}

function ChangePassword({ username }: { username: string }) {
  const rules = usePasswordRules();
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
        label="Current password"
        {...text("password")}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <PasswordInput
        label="New password"
        {...rules}
        description={`${rules.description} Changing it ends your API tokens.`}
        {...text("new_password")}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <Group>
        <Submit>Change password</Submit>
        {change.isSuccess && (
          <Text size="sm" role="status">
            Changed. Other browsers are signed out, and your tokens have ended.
          </Text>
        )}
      </Group>
    </Form>
  );
}

const NEW_TOKEN = { name: "", is_read_only: false, days: 90 as number | null };

function NewToken() {
  const {
    form,
    act: make,
    text,
    amount,
    flag,
  } = useForm(
    NEW_TOKEN,
    (body) => client.POST("/api/tokens/", { body }),
    (_, set) => set({ name: "" }),
  );
  return (
    <Form {...form}>
      {make.data && (
        <SecretOnce
          key={make.data.id}
          label="The token"
          hint="Copy it now: it is not shown again."
          secret={make.data.secret}
        />
      )}
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput label="Name of a new token" {...text("name")} required maxLength={100} flex={1} />
        <NumberInput label="Valid for (days)" placeholder="no limit" {...amount("days")} min={1} max={3650} w={130} />
      </Group>
      <Checkbox
        label="Read-only"
        description="It can read whatever you can, and change nothing."
        {...flag("is_read_only")}
      />
      <Group>
        <Submit>Create token</Submit>
      </Group>
    </Form>
  );
}
