import { Alert, Button, Group } from "@mantine/core";
import { strings } from "./strings";

/** An error in words, with a way to try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const isUnreachable = "status" in error && error.status === 0;
  return (
    <Alert color="red" variant="light" role="alert" styles={{ message: { color: "var(--mantine-color-text)" } }}>
      <Group justify="space-between" gap="md">
        <span>{isUnreachable ? strings.unreachable : error.message}</span>
        {onRetry && <Button size="compact-sm" variant="default" onClick={onRetry}>{strings.retry}</Button>}
      </Group>
    </Alert>
  );
}
