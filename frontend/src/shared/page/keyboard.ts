/** True if the last thing that the person did was to move the focus. */
let hasMoved = false;
window.addEventListener("keydown", ({ key }) => (hasMoved = key === "Tab"), true);
window.addEventListener("pointerdown", () => (hasMoved = false), true);

/** True if nothing new may take the focus: it is in a text box or a dialog, or the person has just moved it, and means
 * the next key for that place. */
export function keepsFocus(): boolean {
  const focused = document.activeElement;
  return focused?.closest("textarea, input, dialog, [role=dialog]") != null || (hasMoved && focused !== document.body);
}

/** Focuses the link by which a page is left, as its `ref`: React's `autoFocus` leaves links alone. */
export function takeKeyboard(link: HTMLAnchorElement | null): void {
  if (!keepsFocus()) link?.focus();
}
