import { useRef, useState } from "react";
import { submitOnEnter } from "@/rating/keys/submitOnEnter";
import classes from "@/rating/TaskScreen.module.css";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextArea } from "@/shared/ui/Field";
import { says } from "./dialogStrings";

interface Props {
  reason: "bad_problem" | "give_up";
  onClose: () => void;
  onSend: (note: string) => void;
}

export default function ReasonDialog(props: Props) {
  return (
    <Dialog title={says.reasonTitles[props.reason]} onClose={props.onClose}>
      <ReasonForm {...props} />
    </Dialog>
  );
}

/** A digit picks a reason and moves on to the text, where Enter sends it. */
function ReasonForm({ reason, onClose, onSend }: Props) {
  const [note, setNote] = useState("");
  const text = useRef<HTMLTextAreaElement>(null);
  const quick = says.quickReasons[reason];
  const isEmpty = note.trim() === "";

  const pick = (picked: string) => {
    setNote(picked);
    text.current?.focus();
  };

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- digits, beside the buttons that they are written on
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSend(note.trim());
      }}
      onKeyDown={(event) => {
        const picked = quick[Number(event.key) - 1];
        if (event.target === text.current || picked === undefined) return;
        event.preventDefault();
        pick(picked);
      }}
    >
      <div className={classes.reasons} role="group" aria-label={says.reason}>
        {quick.map((words, index) => (
          <Button
            key={words}
            size="small"
            look={note === words ? "tinted" : "plain"}
            data-autofocus={index === 0 || undefined}
            onClick={() => pick(words)}
          >
            <kbd aria-hidden>{index + 1}</kbd> {words}
          </Button>
        ))}
      </div>
      <TextArea
        ref={text}
        label={says.reason}
        description={`${says.reasonHints[reason]} ${strings.label.boxHint}`}
        rows={3}
        required
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={submitOnEnter}
      />
      <div className="row row-end">
        <Button look="plain" onClick={onClose}>
          {strings.cancel}
        </Button>
        <Button type="submit" disabled={isEmpty}>
          {says.sendReason}
        </Button>
      </div>
    </form>
  );
}
