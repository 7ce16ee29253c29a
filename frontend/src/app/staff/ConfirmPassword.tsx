import { Group, PasswordInput, Stack, Text } from "@mantine/core";
import { client } from "@/api/client";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { SmallButton } from "@/shared/page/Panel";
import { Dialog } from "@/shared/ui/Dialog";
import { strings } from "@/shared/words/strings";
import { useAsked } from "@/api/confirming";
import { useUser } from "@/shared/session/session";

/** Asks for the password when the server demands it again. Mounted once, for all staff pages. */
export function ConfirmPassword() {
  const asked = useAsked();
  return asked && <Asking {...asked} />;
}

function Asking({ confirmed, cancelled }: { confirmed: () => void; cancelled: () => void }) {
  const { username } = useUser();
  const { form, text } = useForm({ password: "" }, (body) => client.POST("/api/session/confirm/", { body }), confirmed);
  return (
    <Dialog title="Is it you?" onClose={cancelled}>
      <Form {...form}>
        <Stack gap="sm">
          <Text size="sm">You signed in a while ago. Give your password again to do this.</Text>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            label="Password"
            {...text("password")}
            autoComplete="current-password"
            data-autofocus
            required
            withAsterisk={false}
          />
          <Group gap="xs">
            <Submit size="compact-sm">Confirm</Submit>
            <SmallButton onClick={cancelled}>{strings.cancel}</SmallButton>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
