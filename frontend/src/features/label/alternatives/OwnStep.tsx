import { useRef, type Dispatch } from "react";
import { MathText } from "@/shared/MathText";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea } from "@/shared/ui/Field";
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
    <form
      className={own.editor}
      aria-label={says.ownTitle(step)}
      onSubmit={(event) => {
        event.preventDefault();
        dispatch({ type: "accept", statesAnswer: isEnd });
      }}
    >
      <TextArea
        label={says.ownText}
        rows={6}
        autoFocus
        maxLength={20_000}
        value={text}
        onChange={(event) => dispatch({ type: "write", text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (isEmpty) cancel();
          else use.current?.focus();
        }}
      />
      <div>
        <p className={own.caption}>{says.preview}</p>
        <div className={own.preview}>
          <MathText text={text} />
        </div>
      </div>
      <p className={own.ends} data-is-end={isEnd || undefined} role="status">
        {isEnd ? says.ownEnds : says.ownHint}
      </p>
      <div className={own.ways}>
        <Button look="plain" onClick={cancel}>
          {strings.cancel}
        </Button>
        <Button ref={use} type="submit" disabled={isEmpty}>
          {says.useOwn}
        </Button>
      </div>
    </form>
  );
}
