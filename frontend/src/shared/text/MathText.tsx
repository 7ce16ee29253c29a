import "katex/dist/katex.min.css";
import { createContext, memo, useContext, useEffect, useRef, useState } from "react";
import type { Markup } from "@/api/types";
import { afterPaint } from "@/shared/page/afterPaint";
import { copyAsStored } from "./copyAsStored";
import { fitted } from "./fitted";
import { count } from "@/shared/words/format";
import classes from "./MathText.module.css";
import { reachable } from "@/shared/page/reachable";
import { beginning, inLine, renderText, type Look } from "./renderText";
import { useIsSource } from "./sourceView";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";

interface Props {
  text: string;
  /** Else that of the texts around. */
  markup?: Markup | undefined;
  /** One line of a table: clipped, not wrapped. */
  isClipped?: boolean;
  /** Written by people for people: Markdown, without its signs. */
  isProse?: boolean;
  /** A final answer, which may be a formula without delimiters. */
  isAnswer?: boolean;
}

const SCROLLERS = ".verbatim, table, .math-display";
const LONGEST_LINE = 1000;

/** The markup of the texts inside. A task that the browser has kept from an older version knows none. */
export const MarkupOfTexts = createContext<Markup | undefined>(undefined);
export const useMarkup = (): Markup => useContext(MarkupOfTexts) ?? "mathematics";

function useLook({ markup, isProse, isAnswer, isClipped }: Props): Look {
  const around = useMarkup();
  const own = markup ?? around;
  const hasFormulas = own === "mathematics" || own === "markdown";
  if (isProse && !isClipped) return "prose";
  if (isAnswer && hasFormulas) return "answer";
  if (!isClipped) return own;
  return hasFormulas ? "mathematics" : "plain";
}

/** A text by its markup, or as it is stored. Of a very long one, the rest is shown on request, and as it is stored. */
export function MathText(props: Props) {
  const { text, isClipped = false } = props;
  const [isWhole, setWhole] = useState(false);
  const look = useLook(props);
  const isSource = useIsSource() && !isClipped;
  const shown = isClipped ? text.slice(0, LONGEST_LINE) : beginning(text);
  const drawn = <Drawn text={shown} look={isSource ? "plain" : look} isSource={isSource} isClipped={isClipped} />;
  if (isClipped || shown === text) return drawn;
  return (
    <>
      {drawn}
      {isWhole ? (
        <Drawn text={text.slice(shown.length)} look={look === "code" ? "code" : "plain"} isSource={isSource} />
      ) : (
        <Button look="tinted" size="small" onClick={() => setWhole(true)}>
          {strings.showWhole(count(text.length))}
        </Button>
      )}
    </>
  );
}

interface DrawnProps {
  text: string;
  look: Look;
  isSource: boolean;
  isClipped?: boolean;
}

const Drawn = memo(function Drawn({ text, look, isSource, isClipped = false }: DrawnProps) {
  const box = useRef<HTMLDivElement>(null);
  const html = renderText(text, look);
  const className = isClipped ? `${classes.text ?? ""} ${classes.clipped ?? ""}` : classes.text;

  useEffect(() => {
    const whole = box.current;
    if (isClipped || whole === null) return undefined;
    let ends: (() => void)[] = [];
    const callOff = afterPaint(
      () => (ends = [fitted(whole), ...[whole, ...whole.querySelectorAll(SCROLLERS)].map(reachable)]),
    );
    return () => [callOff, ...ends].forEach((end) => end());
  }, [text, look, isClipped]);

  return (
    <div
      ref={box}
      dir="auto"
      className={className}
      data-look={isSource ? "source" : look}
      onCopy={copyAsStored}
      dangerouslySetInnerHTML={{ __html: isClipped ? inLine(html) : html }}
    />
  );
});
