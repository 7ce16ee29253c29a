import { Button, CloseButton, Group, Text } from "@mantine/core";
import { useLocation } from "wouter";
import { MathText } from "@/shared/MathText";
import { strings } from "@/shared/strings";
import classes from "./LabelPage.module.css";
import type { Outcome } from "./useFlow";
import { useKeyOf } from "./useKeys";
import { reopenAddress } from "./useReopened";

const says = strings.label.checks;

/** What looked odd about the last submission. It blocks nothing, and stays until it is closed or followed by another. */
export function ChecksNotice({ outcome: { entry, reply }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const [, navigate] = useLocation();
  const keyOf = useKeyOf();
  const lookAgain = () => {
    navigate(reopenAddress(entry.phase, entry.assignment));
    onClose();
  };
  return (
    <div className={classes.toast} data-rating="unsure" role="status">
      <Group justify="space-between" wrap="nowrap"><Text size="sm" fw={650}>{says.title}</Text><CloseButton size="sm" aria-label={strings.close} onClick={onClose} /></Group>
      {(reply.checks as (keyof typeof says)[]).map((check) => <Text key={check} size="sm">{says[check]}</Text>)}
      <div className={classes.excerpt}><MathText text={entry.title} isClipped /></div>
      <Button mt="xs" size="compact-sm" variant="default" rightSection={<kbd>{keyOf("history")}</kbd>} onClick={lookAgain}>{says.lookAgain}</Button>
    </div>
  );
}
