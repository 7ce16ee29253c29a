const SMALLEST = 0.75;
const FORMULAS = ".math-display, .math-inline";
/** The texts on the page, each with the width that its formulas were fitted to. */
const widths = new Map<Element, number>();

/** Returns the width of a displayed formula, which scrolls, or of an inline one's widest part, as parts can't break. */
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

/** Returns the ratio of the room to the formula's width. */
function shareOf(formula: HTMLElement, text: Element): number {
  return (formula.clientWidth || text.clientWidth) / widthOf(formula);
}

const watch = new ResizeObserver((boxes) => {
  for (const { target } of boxes) if (widths.get(target) !== target.clientWidth) fit(target);
});

// A formula's width changes with its fonts, which load when the first one is drawn.
document.fonts.addEventListener("loadingdone", () => [...widths.keys()].forEach(fit));

/**
 * Fits formulas that are wider than the text: they break between their parts, then shrink, to three quarters at the
 * least, then scroll. Returns a function that ends it.
 */
export function fitted(text: Element): () => void {
  watch.observe(text);
  return () => {
    watch.unobserve(text);
    widths.delete(text);
  };
}
