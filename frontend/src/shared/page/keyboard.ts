/** Whether the last thing that the person did was to move the focus. */
let hasMoved = false;
window.addEventListener("keydown", ({ key }) => (hasMoved = key === "Tab"), true);
window.addEventListener("pointerdown", () => (hasMoved = false), true);

/** Whether the focus stays where it is when something comes that would take it: at a box, in a dialog, or where the
 * person has just moved it, who would press the next key for something else. */
export function keepsFocus(): boolean {
  const focused = document.activeElement;
  return focused?.closest("textarea, input, dialog, [role=dialog]") != null || (hasMoved && focused !== document.body);
}

/** Focuses the link by which a page is left, as its `ref`: React's `autoFocus` leaves links alone. */
export function takeKeyboard(link: HTMLAnchorElement | null): void {
  if (!keepsFocus()) link?.focus();
}
