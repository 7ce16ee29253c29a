import { useMemo, useState } from "react";
import { reachable } from "@/shared/page/reachable";
import { useIsSource } from "@/shared/text/sourceView";
import { Button } from "@/shared/ui/Button";
import { count, plural } from "@/shared/words/format";
import { stretches } from "./ansi";
import { FOLDED, FOLDED_CHARACTERS, isLong } from "./folding";
import { JsonTree, jsonOf } from "./JsonTree";
import classes from "./trace.module.css";

/** The number of lines that the browser lays out together, when they come into view. */
const BLOCK = 100;

interface Props {
  text: string;
  /** The length of the whole text, if `text` is only its beginning. */
  length?: number | undefined;
  isOpen: boolean;
  onOpened?: (() => void) | undefined;
  /** Asks for the rest. */
  onMore?: (() => Promise<void>) | undefined;
}

/** The result of a tool call: monospaced, with a terminal's colours, or as a tree; folded past some lines. */
export function Output({ text, length = 0, isOpen: isOpenAround, onOpened, onMore }: Props) {
  const [isOpen, setOpen] = useState(isOpenAround);
  const isSource = useIsSource();
  const tree = useMemo(() => (length === 0 && !isSource ? jsonOf(text) : undefined), [text, length, isSource]);
  const lines = useMemo(() => text.split("\n"), [text]);
  const isFoldable = isLong({ text, length });
  const shown = isOpen || !isFoldable ? lines : folded(lines);
  const hidden =
    length === 0 && lines.length > FOLDED ? plural(lines.length, "line") : plural(length || text.length, "character");
  const toggle = () => {
    if (!isOpen) onOpened?.();
    setOpen(!isOpen);
  };
  if (text.trim() === "") return <p className={classes.quiet}>Nothing</p>;

  return (
    <>
      {tree ? (
        <div className={classes.box}>
          <JsonTree value={tree} isFolded={isFoldable && !isOpen} />
        </div>
      ) : (
        <div
          className={classes.output}
          data-open={isOpen || undefined}
          dir="ltr"
          ref={reachable}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by key
          tabIndex={isOpen ? 0 : undefined}
        >
          {blocks(shown).map((block, number) => (
            <pre key={number} className={classes.block}>
              <Coloured text={block} />
            </pre>
          ))}
        </div>
      )}
      {isFoldable && (
        <div className={classes.folding}>
          <Button look="plain" size="small" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? "Fold" : `Show it all: ${hidden}`}
          </Button>
          {isOpen && length > text.length && onMore && <More done={text.length} all={length} onMore={onMore} />}
        </div>
      )}
    </>
  );
}

function folded(lines: readonly string[]): string[] {
  return lines.slice(0, FOLDED).join("\n").slice(0, FOLDED_CHARACTERS).split("\n");
}

function blocks(lines: readonly string[]): string[] {
  const starts = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, number) => number * BLOCK);
  return starts.map((start) => lines.slice(start, start + BLOCK).join("\n"));
}

function Coloured({ text }: { text: string }) {
  if (!text.includes("\u001b")) return text;
  return stretches(text).map((each, place) => (
    <span key={place} data-colour={each.colour ?? undefined} data-bold={each.isBold || undefined}>
      {each.text}
    </span>
  ));
}

function More({ done, all, onMore }: { done: number; all: number; onMore: () => Promise<void> }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const ask = () => {
    setState("busy");
    onMore().then(
      () => setState("idle"),
      () => setState("failed"),
    );
  };
  return (
    <Button look="tinted" size="small" isBusy={state === "busy"} onClick={ask}>
      {state === "failed" ? "Could not be loaded. Try again" : `More: ${count(done)} of ${count(all)} characters`}
    </Button>
  );
}
