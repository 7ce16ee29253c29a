import { Notice } from "./Notice";
import { strings } from "./strings";
import { Button } from "./ui/Button";

/** What to tell a person about an error. */
export function messageOf(error: Error): string {
  return "status" in error && error.status === 0 ? strings.unreachable : error.message;
}

/** An error in words, with a way to try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Notice tone="bad">
      <span>{messageOf(error)}</span>
      {onRetry && (
        <Button size="small" look="plain" onClick={onRetry}>
          {strings.retry}
        </Button>
      )}
    </Notice>
  );
}
