import { Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import { ActButton } from "@/shared/forms/ActButton";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { Loaded } from "@/shared/page/Loaded";
import { Panel } from "@/shared/page/Panel";
import { SecretOnce } from "@/shared/ui/SecretOnce";

interface Secret {
  secret: string;
  picture: string;
}

/** Codes of an authenticator app, wanted at sign-in beside the password. */
export function SecondFactor() {
  const factor = useQuery(reading("/api/session/second-factor/"));
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <Panel>
      <Stack align="start">
        <Title order={2} size="h4">
          Codes at sign-in
        </Title>
        <Loaded query={factor}>
          {({ is_on }) => (
            <>
              <Text size="sm" c="dimmed">
                {is_on
                  ? "On: whoever signs in as you needs your password and a code of your authenticator app."
                  : "With an authenticator app on your phone, a stolen password alone opens nothing."}
              </Text>
              {codes.length > 0 && (
                <SecretOnce
                  label="Recovery codes"
                  hint="Keep them where you find them without your phone: each signs you in once. They are not shown again."
                  secret={codes.join(" ")}
                />
              )}
              {is_on ? (
                <ActButton
                  act={() => client.DELETE("/api/session/second-factor/")}
                  onDone={() => {
                    setCodes([]);
                    setSecret(null);
                  }}
                  question="Your password alone signs you in then."
                >
                  Switch off
                </ActButton>
              ) : secret ? (
                <Proof {...secret} onDone={setCodes} />
              ) : (
                <ActButton act={() => client.POST("/api/session/second-factor/")} onDone={setSecret}>
                  Set up
                </ActButton>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

function Proof({ secret, picture, onDone }: Secret & { onDone: (codes: string[]) => void }) {
  const { form, text } = useForm(
    { code: "" },
    (body) => client.PUT("/api/session/second-factor/", { body }),
    ({ recovery_codes }) => onDone(recovery_codes),
  );
  return (
    <Form {...form}>
      <Text size="sm">Scan this with your app, or type the secret into it:</Text>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        alt="The secret as a QR code"
        width={180}
        style={{ background: "white", padding: "0.5rem" }}
      />
      <code>{secret}</code>
      <TextInput
        label="The code that the app shows"
        {...text("code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        withAsterisk={false}
      />
      <Group>
        <Submit>Switch on</Submit>
      </Group>
    </Form>
  );
}
