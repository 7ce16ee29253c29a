const SMALLEST = 0.75;
const FORMULAS = ".math-display, .math-inline";
/** The texts on the page, each with the width that its formulas were fitted to. */
const widths = new Map<Element, number>();

/** How wide a formula is: a displayed one scrolls by itself, one in a line can't be broken within its parts. */
function widthOf(formula: HTMLElement): number {
  const parts = [...formula.querySelectorAll<HTMLElement>(".base")].map((part) => part.offsetWidth);
  return formula.matches(".math-display") ? formula.scrollWidth : Math.max(0, ...parts);
}

function fit(text: Element): void {
  widths.set(text, text.clientWidth);
  const formulas = [...text.querySelectorAll<HTMLElement>(FORMULAS)];
  for (const formula of formulas) {
    formula.style.removeProperty("font-size");
    formula.removeAttribute("data-breaks");
  }
  const isWide = (formula: HTMLElement) => shareOf(formula, text) < 1;
  const wide = formulas.filter(isWide); // all, before any changes
  for (const formula of wide) formula.toggleAttribute("data-breaks", true);
  const shares = wide.map((formula) => shareOf(formula, text));
  shares.forEach((share, index) => {
    if (share < 1) wide[index]?.style.setProperty("font-size", `${Math.max(SMALLEST, share)}em`);
  });
}

/** Of the room that there is to what the formula takes. */
function shareOf(formula: HTMLElement, text: Element): number {
  return (formula.clientWidth || text.clientWidth) / widthOf(formula);
}

const watch = new ResizeObserver((boxes) => {
  for (const { target } of boxes) if (widths.get(target) !== target.clientWidth) fit(target);
});

// A formula is as wide as its fonts, which come when the first one is drawn.
document.fonts.addEventListener("loadingdone", () => [...widths.keys()].forEach(fit));

/**
 * Formulas that are wider than the text break between their parts, then shrink to fit, to three quarters at most; then they
 * scroll. Gives the way to end it.
 */
export function fitted(text: Element): () => void {
  watch.observe(text);
  return () => {
    watch.unobserve(text);
    widths.delete(text);
  };
}
