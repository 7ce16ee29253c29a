import "katex/dist/katex.min.css";
import { memo, useEffect, useRef } from "react";
import { afterPaint } from "./afterPaint";
import classes from "./MathText.module.css";
import { reachable } from "./reachable";
import { renderText } from "./renderText";

interface Props {
  text: string;
  /** One line of a table: clipped, not wrapped. */
  isClipped?: boolean;
  /** Written by people for people: lists and quotes are laid out. */
  isProse?: boolean;
}

const SCROLLERS = "pre, table, .verbatim, .math-display";

export const MathText = memo(function MathText({ text, isClipped = false, isProse = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const className = isClipped ? `${classes.text ?? ""} ${classes.clipped ?? ""}` : classes.text;

  useEffect(() => {
    const whole = box.current;
    if (isClipped || whole === null) return undefined;
    let ends: (() => void)[] = [];
    const callOff = afterPaint(() => (ends = [whole, ...whole.querySelectorAll(SCROLLERS)].map(reachable)));
    return () => [callOff, ...ends].forEach((end) => end());
  }, [text, isProse, isClipped]);

  return <div ref={box} dir="auto" className={className} dangerouslySetInnerHTML={{ __html: renderText(text, isProse) }} />;
});
