import type { KeyboardEvent } from "react";

/** The hint on every text box. */
export const BOX_HINT = `${/Mac|iP/.test(navigator.userAgent) ? "⌘" : "Ctrl"}+Enter saves, Escape leaves.`;

/** Saves a text box on Ctrl or Cmd with Enter, leaves it on Escape, and then focuses the current step. */
export function saveOrLeave(
  event: KeyboardEvent<HTMLTextAreaElement>,
  save: () => void,
  leave: () => void = () => undefined,
): void {
  const isSave = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (event.nativeEvent.isComposing || !(isSave || event.key === "Escape")) return;
  event.preventDefault();
  event.currentTarget.blur();
  giveKeysBack();
  (isSave ? save : leave)();
}

/** Focuses the current step on Escape, for a field that needs no saving. */
export function leaveField(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  giveKeysBack();
}

function giveKeysBack(): void {
  document.querySelector<HTMLElement>("main [aria-current=step]")?.focus({ preventScroll: true });
}
