import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { strings } from "@/shared/strings";

const says = strings.label;
const ON: Partial<Record<Props["kind"], string>> = { lost: says.carryOn, elsewhere: says.useHere };

interface Props {
  kind: keyof typeof says.endings;
  detail?: string;
  onAgain?: () => void;
}

/** Why there is no task on the screen, and the way on. */
export function Ending({ kind, detail = "", onAgain }: Props) {
  const { title, text } = says.endings[kind];
  return (
    <Stack align="center" justify="center" mih="60vh" gap="md" ta="center" px="md" role="status">
      <Title order={1} size="h2">{title}</Title>
      <Text c="dimmed" maw={480}>{detail || text}</Text>
      <Group justify="center">
        {onAgain && <Button onClick={onAgain} autoFocus>{ON[kind] ?? says.checkAgain}</Button>}
        <Button component={Link} href="/" variant="default">{says.backToPhases}</Button>
      </Group>
    </Stack>
  );
}
