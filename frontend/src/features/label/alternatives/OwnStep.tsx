import { Button, Group, Text, Textarea } from "@mantine/core";
import { useRef, type Dispatch } from "react";
import { MathText } from "@/shared/MathText";
import { strings } from "@/shared/strings";
import own from "./Alternatives.module.css";
import { statesAnswer } from "./finalAnswer";
import type { Action } from "./trajectory";

const says = strings.label.trajectory;

interface Props {
  step: number;
  text: string;
  dispatch: Dispatch<Action>;
}

/** Enter writes a new line; Escape goes to the button, where Enter uses the step. */
export function OwnStep({ step, text, dispatch }: Props) {
  const use = useRef<HTMLButtonElement>(null);
  const isEmpty = text.trim() === "";
  const isEnd = statesAnswer(text);
  const cancel = () => dispatch({ type: "write", text: null });
  return (
    <form className={own.editor} aria-label={says.ownTitle(step)}
      onSubmit={(event) => {
        event.preventDefault();
        dispatch({ type: "accept", statesAnswer: isEnd });
      }}>
      <Textarea label={says.ownText} rows={6} resize="vertical" autoFocus maxLength={20_000} value={text}
        onChange={(event) => dispatch({ type: "write", text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (isEmpty) cancel();
          else use.current?.focus();
        }} />
      <div>
        <Text size="sm" fw={500}>{says.preview}</Text>
        <div className={own.preview}><MathText text={text} /></div>
      </div>
      <Text size="sm" c={isEnd ? "var(--great-text)" : "dimmed"} role="status">{isEnd ? says.ownEnds : says.ownHint}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={cancel}>{strings.cancel}</Button>
        <Button ref={use} type="submit" disabled={isEmpty}>{says.useOwn}</Button>
      </Group>
    </form>
  );
}
