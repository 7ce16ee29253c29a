/** Marks an element whose place is not certain yet; app.css hides it, unless somebody is in it. */
const HELD = "data-held";

/**
 * Shows nothing below what is still to come (`data-waiting`): it would move away under the pointer. What is to come
 * within a fold holds nothing after it. A ref of the page's element.
 *
 * CSS alone can't: Chromium leaves elements hidden that a rule with `:has()` and `~` no longer selects.
 */
export function holdBelow(page: HTMLElement | null) {
  if (page === null) return;
  const update = () => {
    const held = new Set(after(page));
    for (const element of page.querySelectorAll(`[${HELD}]`)) if (!held.has(element)) element.removeAttribute(HELD);
    for (const element of held) element.setAttribute(HELD, "");
    if (document.querySelector("header:has(~ main) [data-waiting]")) page.setAttribute(HELD, "all");
    else page.removeAttribute(HELD);
  };
  const observer = new MutationObserver(update); // it is told before the page is painted
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-waiting"] });
  update();
  return () => observer.disconnect();
}

function* after(page: HTMLElement): Generator<Element> {
  for (const waiting of page.querySelectorAll("[data-waiting]")) {
    for (let above: Element | null = waiting; above && above !== page; above = above.parentElement) {
      if (above.tagName === "DETAILS") break; // somebody folds it out
      for (let next = above.nextElementSibling; next; next = next.nextElementSibling) yield next;
    }
  }
}
