import "katex/dist/katex.min.css";
import { memo, useEffect, useRef } from "react";
import classes from "./MathText.module.css";
import { renderText } from "./renderText";

interface Props {
  text: string;
  /** One line of a table: clipped, not wrapped. */
  isClipped?: boolean;
  /** Written by people for people: lists and quotes are laid out. */
  isProse?: boolean;
}

const SCROLLERS = "pre, table, .verbatim, .math-display";

/** A box that scrolls must be reachable by key, and one that does not is no stop on the way. */
const reach = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth + 1) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

export const MathText = memo(function MathText({ text, isClipped = false, isProse = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const className = isClipped ? `${classes.text ?? ""} ${classes.clipped ?? ""}` : classes.text;

  useEffect(() => {
    if (isClipped || box.current === null) return undefined;
    const boxes = [box.current, ...box.current.querySelectorAll(SCROLLERS)];
    boxes.forEach((each) => reach.observe(each));
    return () => boxes.forEach((each) => reach.unobserve(each));
  }, [text, isProse, isClipped]);

  return <div ref={box} dir="auto" className={className} dangerouslySetInnerHTML={{ __html: renderText(text, isProse) }} />;
});
