import { Button, Group, Modal, Textarea } from "@mantine/core";
import { memo, useRef, useState } from "react";
import { strings } from "@/shared/strings";
import { submitOnEnter } from "./submitOnEnter";
import classes from "./TaskScreen.module.css";

const says = strings.label;
type Reason = "bad_problem" | "give_up";

interface Props {
  reason: Reason | null;
  onClose: () => void;
  onSend: (note: string) => void;
}

export const ReasonDialog = memo(function ReasonDialog({ reason, onClose, onSend }: Props) {
  return (
    <Modal opened={reason !== null} onClose={onClose} title={reason && says.reasonTitles[reason]} centered>
      {reason && <ReasonForm reason={reason} onClose={onClose} onSend={onSend} />}
    </Modal>
  );
});

/** A digit picks a reason and moves on to the text, where Enter sends it. */
function ReasonForm({ reason, onClose, onSend }: Props & { reason: Reason }) {
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
          <Button key={words} size="compact-sm" variant={note === words ? "light" : "default"} data-autofocus={index === 0 || undefined}
            leftSection={<kbd aria-hidden>{index + 1}</kbd>} onClick={() => pick(words)}>
            {words}
          </Button>
        ))}
      </div>
      <Textarea ref={text} label={says.reason} description={says.reasonHints[reason]} rows={3} resize="vertical" required
        value={note} onChange={(event) => setNote(event.currentTarget.value)} onKeyDown={submitOnEnter} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>{strings.cancel}</Button>
        <Button type="submit" disabled={isEmpty}>{says.sendReason}</Button>
      </Group>
    </form>
  );
}
