import { Button, Group, Text, type ButtonProps } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { SmallButton } from "@/shared/page/Panel";
import { Problem } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";

interface Asked<Answer> {
  act: UseMutationResult<Answer, Error, void>;
  /** The text of the button, and of the question. */
  name: string;
  question: string;
}

/** A button for what is hard to take back: it asks once more, in place. */
export function AskFirst<Answer>({ act, name, question, ...look }: Asked<Answer> & ButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (isAsking) return <Question {...{ act, name, question }} width="20rem" onDone={() => setIsAsking(false)} />;
  return (
    <SmallButton {...look} onClick={() => setIsAsking(true)}>
      {name}
    </SmallButton>
  );
}

interface Props<Answer> extends Asked<Answer> {
  /** Why the act can't be done, shown instead of the question. */
  refusal?: string | undefined;
  isReversible?: boolean;
  width?: string;
  onDone: () => void;
}

/** The question before an act, with the ways to go on and back. */
export function Question<Answer>(props: Props<Answer>) {
  const { act, name, question, refusal, isReversible, width = "34rem", onDone } = props;
  return (
    <div role="group" aria-label={name} style={{ display: "grid", gap: "0.5rem", maxWidth: width }}>
      {act.isError && <Problem error={act.error} />}
      <Text size="sm">{refusal || question}</Text>
      <Group gap="xs">
        {!refusal && (
          <Button
            size="compact-sm"
            color={isReversible ? undefined : "red.9"}
            loading={act.isPending}
            onClick={() => act.mutate(undefined, { onSuccess: onDone })}
          >
            {name}
          </Button>
        )}
        <SmallButton onClick={onDone} autoFocus>
          {refusal ? strings.close : strings.cancel}
        </SmallButton>
      </Group>
    </div>
  );
}
