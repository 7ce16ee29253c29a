import { Button, type ButtonProps } from "@mantine/core";

interface Props extends ButtonProps {
  /** The key that does the same, as it is shown. */
  shortcut: string | undefined;
  "aria-pressed"?: boolean;
  autoFocus?: boolean;
  onClick: () => void;
}

/** A button that says which key presses it. */
export function ShortcutButton({ shortcut, ...button }: Props) {
  const hint = shortcut && <kbd aria-hidden>{shortcut}</kbd>;
  return <Button size="compact-sm" variant="default" aria-keyshortcuts={shortcut} rightSection={hint} {...button} />;
}
