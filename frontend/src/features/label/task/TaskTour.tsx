import { useId, useLayoutEffect, useRef, useState } from "react";
import type { Assignment, ByName } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeyOf } from "@/rating/keys/useKeys";
import { instructionOf } from "@/rating/words/profiles";
import { Button } from "@/shared/ui/Button";
import { CloseButton } from "@/shared/ui/CloseButton";
import { open } from "@/shared/ui/Dialog";
import classes from "./TaskTour.module.css";

type Phase = Assignment["phase"];

function cardsOf(phase: Phase, key: (command: Command) => string) {
  const { kind } = phase;
  return [
    {
      part: "problem",
      title: "The problem stays in view",
      text: `Below it stands the answer on file. It may be wrong. ${instructionOf(phase)}`,
    },
    kind === "solutions"
      ? {
          part: "step",
          title: "One step at a time",
          text: "Read the step in focus. Is it right, can it be checked, and does it help, given the steps before it?",
        }
      : {
          part: "step",
          title: "Several ways to go on",
          text: "These are completions of one step. Judge each by itself: is it right, can it be checked, and does it help, given the steps before it?",
        },
    {
      part: "ratings",
      title: "One key rates it",
      text: `${key("great")} Great, ${key("okay")} Okay, ${key("bad")} Bad, ${key("unsure")} Unsure. ${
        kind === "solutions"
          ? `The next step comes by itself; ${phase.rates_all_steps ? "after a Bad one, too" : "the first Bad one ends the task"}.`
          : `The next one comes by itself. A Great one goes on: ${key("choose")} takes another Great one instead, ${key("write")} writes the step yourself.`
      } ${key("undo")} takes the last rating back.`,
    },
    {
      part: "tools",
      title: "Help for a closer look",
      text: `${key("calculator")} opens a calculator, ${key("compare")} shows what differs from the step before. ${key("help")} lists all keys; each can be changed.`,
    },
    {
      part: "saved",
      title: "Nothing gets lost",
      text: `Every rating is saved as you go. ${key("submit")} ${kind === "solutions" ? "submits at the end" : `goes on to the next step, and submits where ${phase.finishes_by_hand ? `you say that it is finished (${key("finish")})` : "the final answer is reached"}`}, and the next task is there at once.`,
    },
  ];
}

const MOVES = new Map(Object.entries({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }));

/** The visible part that a card is about; the prerendered next task has a hidden one. */
function partOf(name: string): Element | undefined {
  return [...document.querySelectorAll(`[data-tour~="${name}"]`)].find((part) => part.getClientRects().length > 0);
}

/** Short cards beside the parts they are about. Arrow keys or buttons move, Escape ends it. */
export default function TaskTour({ phase, onClose }: { phase: Phase; onClose: () => void }) {
  const keyOf = useKeyOf();
  const cards = cardsOf(phase, keyOf);
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
      onKeyDown={(event) => move(MOVES.get(event.key) ?? 0)}
    >
      <div className={classes.spot} />
      <div className={classes.card} tabIndex={-1}>
        <header className={classes.head}>
          <h2 id={id}>{title}</h2>
          <CloseButton onClick={onClose} />
        </header>
        <p role="status">{text}</p>
        <footer className={classes.foot}>
          <span className="small dim">
            {at + 1} of {cards.length}
          </span>
          {!isLast && (
            <Button size="small" look="quiet" onClick={onClose}>
              Skip
            </Button>
          )}
          {at > 0 && (
            <Button size="small" look="plain" onClick={() => move(-1)}>
              Back
            </Button>
          )}
          <Button size="small" data-autofocus onClick={() => (isLast ? onClose() : move(1))}>
            {isLast ? "Start labelling" : "Next"}
          </Button>
        </footer>
      </div>
    </dialog>
  );
}

const GAP = 12;
const MARGIN = 16;
const AROUND = 6;

type Size = Record<"width" | "height", number>;
type Box = Size & Record<"top" | "left" | "bottom", number>;

/** Returns the position of a card: below the part, else above it, else at the bottom of the window. */
export function placeOf(part: Box, card: Size, window: Size): { top: number; left: number } {
  const below = part.bottom + GAP;
  const above = part.top - GAP - card.height;
  const lowest = window.height - card.height - MARGIN;
  const top = below <= lowest ? below : above >= MARGIN ? above : lowest;
  return { top, left: Math.max(MARGIN, Math.min(part.left, window.width - card.width - MARGIN)) };
}

/** Puts the light of a tour on a part of the page, and its card beside it; in the middle where there is no such part. */
function besides(tour: HTMLElement | null, part: Box | undefined): void {
  const [spot, card] = [...(tour?.children ?? [])] as HTMLElement[];
  if (!spot || !card) return;
  const size = { width: card.offsetWidth, height: card.offsetHeight };
  const room = { width: window.innerWidth, height: window.innerHeight };
  const [left, above] = [(room.width - size.width) / 2, (room.height - size.height) / 2];
  const lit = part ?? { top: room.height / 2, bottom: above - GAP, left, width: 0, height: 0 };
  const around = { width: lit.width + 2 * AROUND, height: lit.height + 2 * AROUND };
  lay(spot, { top: lit.top - AROUND, left: lit.left - AROUND, ...around });
  lay(card, placeOf(lit, size, room));
}

function lay(element: HTMLElement, place: ByName<number>): void {
  for (const [name, value] of Object.entries(place)) element.style.setProperty(name, `${value}px`);
}
