const reach = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth + 1) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/** A box that scrolls must be reachable by key, and one that does not is no stop on the way. As a `ref`; gives the way to end it. */
export function reachable(box: Element | null): () => void {
  if (box) reach.observe(box);
  return () => box && reach.unobserve(box);
}
