import { strings } from "@/shared/strings";
import { TextArea } from "@/shared/ui/Field";
import { saveOrLeave } from "./keys/saveOrLeave";
import classes from "./TaskScreen.module.css";

interface Props {
  name: string;
  note: string;
  onNote: (note: string) => void;
  onClose: () => void;
}

export function NoteField({ name, note, onNote, onClose }: Props) {
  return (
    <TextArea
      className={classes.noteField}
      rows={2}
      autoFocus
      aria-label={name}
      placeholder={strings.label.notePlaceholder}
      value={note}
      onChange={(event) => onNote(event.currentTarget.value)}
      onBlur={onClose}
      onKeyDown={(event) => saveOrLeave(event, onClose, onClose)}
      description={strings.label.boxHint}
    />
  );
}
