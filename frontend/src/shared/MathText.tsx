import "katex/dist/katex.min.css";
import { memo, useEffect, useRef, useState } from "react";
import { afterPaint } from "./afterPaint";
import { fitted } from "./fitted";
import { count } from "./format";
import classes from "./MathText.module.css";
import { reachable } from "./reachable";
import { beginning, renderText, withoutTricks } from "./renderText";
import { strings } from "./strings";
import { Button } from "./ui/Button";

interface Props {
  text: string;
  /** One line of a table: clipped, not wrapped. */
  isClipped?: boolean;
  /** Written by people for people: lists and quotes are laid out. */
  isProse?: boolean;
}

const SCROLLERS = "pre, table, .verbatim, .math-display";
const LONGEST_LINE = 1000;

/** Markdown with formulas. Of a very long text, the rest is shown on request, and as it was written. */
export function MathText({ text, ...props }: Props) {
  const [isWhole, setWhole] = useState(false);
  const drawn = beginning(props.isClipped ? text.slice(0, LONGEST_LINE) : text);
  if (props.isClipped || drawn === text) return <Drawn text={drawn} {...props} />;
  return (
    <>
      <Drawn text={drawn} {...props} />
      {isWhole ? (
        <div dir="auto" className={classes.rest}>
          {withoutTricks(text.slice(drawn.length))}
        </div>
      ) : (
        <Button look="tinted" size="small" onClick={() => setWhole(true)}>
          {strings.showWhole(count(text.length))}
        </Button>
      )}
    </>
  );
}

const Drawn = memo(function Drawn({ text, isClipped = false, isProse = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const className = isClipped ? `${classes.text ?? ""} ${classes.clipped ?? ""}` : classes.text;

  useEffect(() => {
    const whole = box.current;
    if (isClipped || whole === null) return undefined;
    let ends: (() => void)[] = [];
    const callOff = afterPaint(
      () => (ends = [fitted(whole), ...[whole, ...whole.querySelectorAll(SCROLLERS)].map(reachable)]),
    );
    return () => [callOff, ...ends].forEach((end) => end());
  }, [text, isProse, isClipped]);

  return (
    <div ref={box} dir="auto" className={className} dangerouslySetInnerHTML={{ __html: renderText(text, isProse) }} />
  );
});
