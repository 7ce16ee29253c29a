import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { copyText } from "./clipboard";
import { strings } from "@/shared/words/strings";

/** A secret that is shown once, ready to be copied. */
export function SecretOnce({ label, hint, secret }: { label: string; hint: string; secret: string }) {
  const [said, setSaid] = useState<string>(strings.copy.do);
  const copy = async () => setSaid((await copyText(secret)) ? strings.copy.done : strings.copy.failed);
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={hint}
        inputWrapperOrder={["label", "description", "input"]}
        value={secret}
        readOnly
        autoFocus
        flex={1}
        styles={{ input: { fontFamily: "var(--mono)" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="default" onClick={() => void copy()} aria-live="polite">
        {said}
      </Button>
    </Group>
  );
}
