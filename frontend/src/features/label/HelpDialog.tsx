import { Kbd, Modal, Stack, Text, Title } from "@mantine/core";
import { MathText } from "@/shared/MathText";
import { RatingTag } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { keymap, keyName } from "./keymap";
import classes from "./TaskScreen.module.css";

const says = strings.label;
const WORDS = ["great", "okay", "bad", "unsure"] as const;

interface Props {
  isOpen: boolean;
  onClose: () => void;
  instructions: string;
}

export function HelpDialog({ isOpen, onClose, instructions }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={says.helpTitle} size="lg">
      <Stack gap="lg">
        {instructions && <Section title={says.instructionsTitle}><MathText text={instructions} isProse /></Section>}
        <Section title={says.guideTitle}>
          <dl className={classes.guide}>
            {WORDS.map((word) => (
              <div key={word}><dt><RatingTag word={word} /></dt><dd>{says.guide[word]}</dd></div>
            ))}
          </dl>
          <Text size="sm" c="dimmed">{says.lastStepHint}</Text>
        </Section>
        <Section title={says.keysTitle}>
          <dl className={classes.keys}>
            {keymap.map(({ command, keys, says: meaning }) => (
              <div key={command}><dt>{keys.map((key) => <Kbd key={key} mr={4}>{keyName(key)}</Kbd>)}</dt><dd>{meaning}</dd></div>
            ))}
          </dl>
        </Section>
      </Stack>
    </Modal>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return <section><Title order={2} size="h5" mb="xs">{title}</Title>{children}</section>;
}
