import type { KeyboardEvent } from "react";

/** Told with every text box. */
export const BOX_HINT = `${/Mac|iP/.test(navigator.userAgent) ? "⌘" : "Ctrl"}+Enter saves, Escape leaves.`;

/** In a text box: Ctrl or Cmd with Enter saves, Escape leaves; either gives the keys back to what is in focus. */
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

/** In a field that keeps what it says by itself: Escape gives the keys back to what is in focus. */
export function leaveField(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  giveKeysBack();
}

function giveKeysBack(): void {
  document.querySelector<HTMLElement>("main [aria-current=step]")?.focus({ preventScroll: true });
}
