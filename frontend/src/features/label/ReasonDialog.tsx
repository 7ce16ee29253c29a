import { Button, Group, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { strings } from "@/shared/strings";

const says = strings.label;
type Reason = "bad_problem" | "give_up";

interface Props {
  reason: Reason | null;
  onClose: () => void;
  onSend: (note: string) => void;
}

export function ReasonDialog({ reason, onClose, onSend }: Props) {
  return (
    <Modal opened={reason !== null} onClose={onClose} title={reason && says.reasonTitles[reason]} centered>
      {reason && <ReasonForm reason={reason} onClose={onClose} onSend={onSend} />}
    </Modal>
  );
}

function ReasonForm({ reason, onClose, onSend }: Props & { reason: Reason }) {
  const [note, setNote] = useState("");
  const isEmpty = note.trim() === "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSend(note.trim());
      }}
    >
      <Textarea label={says.reason} description={says.reasonHints[reason]} rows={3} resize="vertical" required data-autofocus
        value={note} onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>{strings.cancel}</Button>
        <Button type="submit" disabled={isEmpty}>{says.sendReason}</Button>
      </Group>
    </form>
  );
}
