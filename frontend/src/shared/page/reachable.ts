/** Sets `data-more` to the sides on which there is more to scroll to. */
function mark(box: Element): void {
  const hidden = box.scrollWidth - box.clientWidth;
  const before = Math.abs(box.scrollLeft); // negative from right to left
  const sides = [before > 1 && "start", hidden - before > 1 && "end"].filter(Boolean).join(" ");
  if (sides === "") box.removeAttribute("data-more");
  else box.setAttribute("data-more", sides);
}

const reach = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth + 1) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
    mark(target);
  }
});

function onScroll({ currentTarget }: Event): void {
  if (currentTarget instanceof Element) mark(currentTarget);
}

/** Makes a box reachable by Tab while it scrolls, and only then. For a `ref`; returns a function that ends it. */
export function reachable(box: Element | null): () => void {
  if (box === null) return () => undefined;
  reach.observe(box);
  box.addEventListener("scroll", onScroll, { passive: true });
  return () => {
    reach.unobserve(box);
    box.removeEventListener("scroll", onScroll);
  };
}
