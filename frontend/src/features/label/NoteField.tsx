import { Textarea } from "@mantine/core";
import { strings } from "@/shared/strings";

interface Props {
  name: string;
  note: string;
  onNote: (note: string) => void;
  onClose: () => void;
}

/** Escape goes back to the card that the note is on. */
export function NoteField({ name, note, onNote, onClose }: Props) {
  return (
    <Textarea mt="sm" rows={2} resize="vertical" autoFocus aria-label={name} placeholder={strings.label.notePlaceholder}
      value={note} onChange={(event) => onNote(event.currentTarget.value)} onBlur={onClose}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.closest("li")?.focus();
      }} />
  );
}
