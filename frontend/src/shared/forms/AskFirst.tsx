import { Button, Group, Text, type ButtonProps } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { SmallButton } from "@/shared/page/Panel";
import { Problem } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";

interface Props<Answer> extends ButtonProps {
  act: UseMutationResult<Answer, Error, void>;
  /** What the button says, and what it asks. */
  name: string;
  question: string;
}

/** A button for what is hard to take back: it asks once more, in place. */
export function AskFirst<Answer>({ act, name, question, ...look }: Props<Answer>) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <SmallButton {...look} onClick={() => setIsAsking(true)}>
        {name}
      </SmallButton>
    );
  const done = () => setIsAsking(false);
  return (
    <div role="group" aria-label={name} style={{ display: "grid", gap: "0.5rem", maxWidth: "20rem" }}>
      {act.isError && <Problem error={act.error} />}
      <Text size="sm">{question}</Text>
      <Group gap="xs">
        <Button
          size="compact-sm"
          color="red.9"
          loading={act.isPending}
          onClick={() => act.mutate(undefined, { onSuccess: done })}
        >
          {name}
        </Button>
        <SmallButton onClick={done} autoFocus>
          {strings.cancel}
        </SmallButton>
      </Group>
    </div>
  );
}
