import type { ClipboardEvent } from "react";

/** The text of a part of the page, with formulas as they are written. */
export function sourceOf(part: DocumentFragment | Element): string {
  const copy = part.cloneNode(true) as typeof part;
  for (const formula of copy.querySelectorAll("[data-source]"))
    formula.textContent = formula.getAttribute("data-source");
  return copy.textContent;
}

/** Copies the text itself: a browser would write a formula three times over, and lines as it draws them. */
export function copyAsStored(event: ClipboardEvent<HTMLElement>): void {
  const selection = getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  const within = range?.commonAncestorContainer;
  if (!range || range.collapsed || !within || !event.currentTarget.contains(within)) return;
  const formula = (within instanceof Element ? within : within.parentElement)?.closest("[data-source]");
  event.clipboardData.setData("text/plain", formula?.getAttribute("data-source") ?? sourceOf(range.cloneContents()));
  event.preventDefault();
}
