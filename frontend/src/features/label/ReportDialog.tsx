import { Button, Group, Modal, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Assignment } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { submitOnEnter } from "./submitOnEnter";
import { useReport } from "./useReport";

const says = strings.label.report;

/** Tells the admins that the reference answer looks wrong. */
export default function ReportDialog({ assignment, onClose }: { assignment: Assignment; onClose: () => void }) {
  const report = useReport(assignment);
  const [note, setNote] = useState(assignment.report ?? "");
  const { error } = report;
  return (
    <Modal opened onClose={onClose} title={says.title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          report.mutate(note.trim(), { onSuccess: onClose });
        }}
      >
        <AnswerText text={assignment.problem.reference_answer} />
        <Text size="sm" c="dimmed" my="xs">{assignment.report === null ? says.about : says.again}</Text>
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
