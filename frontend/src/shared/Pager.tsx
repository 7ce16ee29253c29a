import { Button, Group, Text } from "@mantine/core";
import { strings } from "./strings";

interface Props {
  page: number;
  list: { next?: string | null };
  onPage: (page: number) => void;
}

export function Pager({ page, list, onPage }: Props) {
  if (!list.next && page === 1) return null;
  return (
    <Group justify="flex-end" mt="md" gap="sm">
      <Button variant="default" size="compact-sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {strings.previous}
      </Button>
      <Text size="sm" c="dimmed">
        {strings.page(page)}
      </Text>
      <Button variant="default" size="compact-sm" disabled={!list.next} onClick={() => onPage(page + 1)}>
        {strings.next}
      </Button>
    </Group>
  );
}
