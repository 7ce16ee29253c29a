import { Button, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { strings } from "@/shared/strings";
import type { Binding, Command } from "./keymap";
import { KeySettings } from "./KeySettings";
import { RatingGuide } from "./RatingGuide";

const says = strings.label;

interface Props {
  kind: Binding["only"];
  onClose: () => void;
  /** For what has a place of its own. */
  onCommand: (command: Command) => void;
  onTour: () => void;
}

export default function HelpDialog({ kind, onClose, onCommand, onTour }: Props) {
  const instead = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Modal opened onClose={onClose} title={says.helpTitle} size="lg">
      <Stack gap="lg">
        <section>
          <Title order={2} size="h5" mb="xs">{says.guideTitle}</Title>
          <RatingGuide />
          <Text size="sm" c="dimmed">{says.lastStepHint}</Text>
          <Group gap="xs" mt="sm">
            <Button size="compact-sm" variant="default" onClick={instead(() => onCommand("guidelines"))}>{says.guidelines.open}</Button>
            <Button size="compact-sm" variant="default" onClick={instead(onTour)}>{says.tour.again}</Button>
          </Group>
        </section>
        <KeySettings kind={kind} />
      </Stack>
    </Modal>
  );
}
