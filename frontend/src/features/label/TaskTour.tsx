import { useId, useLayoutEffect, useRef, useState } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import { Button } from "@/shared/ui/Button";
import { CloseButton } from "@/shared/ui/CloseButton";
import { open } from "@/shared/ui/Dialog";
import classes from "./TaskTour.module.css";
import { besides } from "./tourPlace";
import { strings as says } from "./tourStrings";

const MOVES: Partial<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The part that a card is about: the one in sight, as the next task stands ready beside it. */
function partOf(name: string): Element | undefined {
  return [...document.querySelectorAll(`[data-tour~="${name}"]`)].find((part) => part.getClientRects().length > 0);
}

/** Short cards beside the parts they are about. Arrow keys or buttons move, Escape ends it. */
export default function TaskTour({ kind, onClose }: { kind: Assignment["phase"]["kind"]; onClose: () => void }) {
  const keyOf = useKeyOf();
  const cards = says.cards(kind, (command: Command) => keyOf(command));
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { part, title, text } = cards[at] ?? { part: "", title: "", text: "" };
  const isLast = at === cards.length - 1;
  const move = (by: number) => setAt(Math.min(Math.max(at + by, 0), cards.length - 1));

  useLayoutEffect(() => open(box.current), []);
  useLayoutEffect(() => {
    partOf(part)?.scrollIntoView({ block: "nearest" });
    const place = () => besides(box.current, partOf(part)?.getBoundingClientRect());
    place();
    window.addEventListener("resize", place);
    return () => window.removeEventListener("resize", place);
  }, [part]);

  return (
    <dialog
      ref={box}
      className={classes.tour}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => move(MOVES[event.key] ?? 0)}
    >
      <div className={classes.spot} />
      <div className={classes.card} tabIndex={-1}>
        <header className={classes.head}>
          <h2 id={id}>{title}</h2>
          <CloseButton onClick={onClose} />
        </header>
        <p role="status">{text}</p>
        <footer className={classes.foot}>
          <span className="small dim">{says.labels.stepCounter(at + 1, cards.length)}</span>
          {!isLast && (
            <Button size="small" look="quiet" onClick={onClose}>
              {says.labels.skip}
            </Button>
          )}
          {at > 0 && (
            <Button size="small" look="plain" onClick={() => move(-1)}>
              {says.labels.back}
            </Button>
          )}
          <Button size="small" data-autofocus onClick={() => (isLast ? onClose() : move(1))}>
            {isLast ? says.labels.close : says.labels.next}
          </Button>
        </footer>
      </div>
    </dialog>
  );
}
