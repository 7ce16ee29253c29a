import type { ComponentProps } from "react";
import { Button } from "@/shared/ui/Button";
import type { Command } from "./keymap";
import { useKeyOf } from "./useKeys";

/** A button that says which key does the same. */
export function KeyButton({ command, children, ...button }: ComponentProps<typeof Button> & { command: Command }) {
  const key = useKeyOf()(command);
  return (
    <Button aria-keyshortcuts={key} {...button}>
      {children} <kbd aria-hidden>{key}</kbd>
    </Button>
  );
}
