import { useRef } from "react";
import { BOX_HINT, saveOrLeave } from "@/rating/keys/saveOrLeave";
import { wordsOfDomain } from "@/rating/words/profiles";
import { statesAnswer } from "@/rating/trajectory/finalAnswer";
import type { Action } from "@/rating/trajectory/moves";
import { MathText } from "@/shared/text/MathText";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea } from "@/shared/ui/Field";
import type { Desk } from "../task/useDesk";
import own from "./Alternatives.module.css";

interface Props {
  desk: Desk;
  text: string;
}

/** The editor for an own step. Escape moves to the button, where Enter uses the step. */
export function OwnStep({ desk, text }: Props) {
  const { isWriting, onWriting } = desk;
  const { trajectory, dispatch } = desk.task;
  const words = wordsOfDomain(desk.assignment.phase);
  const use = useRef<HTMLButtonElement>(null);
  const isEmpty = text.trim() === "";
  const isEnd = statesAnswer(text);
  const end = (action: Action) => {
    onWriting(false);
    dispatch(action);
  };
  const cancel = () => end({ type: "write", text: null });
  const accept = () => end({ type: "accept", statesAnswer: isEnd });
  return (
    <form
      className={own.editor}
      aria-label={`Your own step ${trajectory.at + 1}`}
      onFocus={() => onWriting(true)}
      onBlur={(event) => onWriting(event.currentTarget.contains(event.relatedTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <TextArea
        label={words.ownStep}
        rows={6}
        autoFocus={isWriting}
        maxLength={20_000}
        value={text}
        onChange={(event) => dispatch({ type: "write", text: event.currentTarget.value })}
        description={BOX_HINT}
        onKeyDown={(event) =>
          saveOrLeave(event, accept, () => {
            if (isEmpty) cancel();
            else use.current?.focus();
          })
        }
      />
      <div>
        <p className={own.caption}>Preview</p>
        <div className={own.preview}>
          <MathText text={text} />
        </div>
      </div>
      {!trajectory.asked.byHand && (
        <p className={`small dim ${own.ends ?? ""}`} data-is-end={isEnd || undefined} role="status">
          {isEnd ? "This states a final answer." : words.ownEnd}
        </p>
      )}
      <div className={own.ways}>
        <Button look="plain" onClick={cancel}>
          {strings.cancel}
        </Button>
        <Button ref={use} type="submit" disabled={isEmpty}>
          Use this step
        </Button>
      </div>
    </form>
  );
}
