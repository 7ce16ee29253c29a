import { Button, Stack, Text } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { Problem } from "@/shared/Problem";
import { strings } from "@/shared/strings";

const says = strings.loop;

interface Props {
  label: string;
  start: { mutate: () => void; isPending: boolean; error: Error | null };
  /** Why it cannot start, or null. */
  obstacle?: string | null;
  children?: ReactNode;
}

/** A button that starts a job with sane defaults; the settings behind it open on demand. */
export function StartForm({ label, start, obstacle = null, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Stack component="form" gap="xs" onSubmit={submit}>
      {isOpen && children}
      {start.error && <Problem error={start.error} />}
      <Button type="submit" loading={start.isPending} disabled={obstacle !== null}>{label}</Button>
      {obstacle && <Text size="sm" c="dimmed" ta="center">{obstacle}</Text>}
      {children !== undefined && (
        <Button variant="subtle" color="gray" c="dimmed" fw={500} size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? says.fewer : says.more}
        </Button>
      )}
    </Stack>
  );
}
