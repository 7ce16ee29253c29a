import { Button, Group, Modal, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Assignment } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { submitOnEnter } from "./submitOnEnter";
import { useReport } from "./useReport";

interface Props {
  assignment: Assignment;
  kind?: "reference_answer" | "gold";
  onClose: () => void;
  onSent?: () => void;
}

/** Tells the admins that the reference answer looks wrong, or after screening the experts' labels. */
export default function ReportDialog({ assignment, kind = "reference_answer", onClose, onSent }: Props) {
  const isGold = kind === "gold";
  const says = isGold ? strings.label.dispute : strings.label.report;
  const report = useReport(assignment, kind);
  const [note, setNote] = useState((!isGold && assignment.report) || "");
  const { error } = report;
  return (
    <Modal opened onClose={onClose} title={says.title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          report.mutate(note.trim(), { onSuccess: () => { onSent?.(); onClose(); } });
        }}
      >
        {!isGold && <AnswerText text={assignment.problem.reference_answer} />}
        <Text size="sm" c="dimmed" my="xs">{isGold || assignment.report === null ? says.about : strings.label.report.again}</Text>
        <Textarea label={says.note} rows={3} resize="vertical" data-autofocus value={note} onChange={(event) => setNote(event.currentTarget.value)} onKeyDown={submitOnEnter} />
        {error && <Text size="sm" mt="xs" c="var(--bad-text)" role="alert">{messageOf(error)}</Text>}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>{strings.cancel}</Button>
          <Button type="submit" loading={report.isPending}>{says.send}</Button>
        </Group>
      </form>
    </Modal>
  );
}
