import { Activity, useLayoutEffect, useRef, type ReactNode } from "react";
import { whenIdle } from "@/shared/page/afterPaint";
import classes from "../LabelPage.module.css";

const KEEPS_LAYOUT = "contentVisibility" in document.documentElement.style;

/**
 * A screen in sight, or one whose effects rest: out of sight, though laid out, so that it has only to be painted when its
 * turn comes. `Activity` alone would give it `display: none`, which has no layout.
 */
export function Stage({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => (isShown || box.current === null || !KEEPS_LAYOUT ? undefined : keepLayout(box.current)),
    [isShown],
  );
  return (
    <div ref={box} className={isShown ? undefined : classes.waiting}>
      <Activity mode={isShown ? "visible" : "hidden"}>{children}</Activity>
    </div>
  );
}

/** Returns the way to end it. */
function keepLayout(box: HTMLElement): () => void {
  let callOff = () => {};
  const show = () => {
    for (const part of box.children) (part as HTMLElement).style.removeProperty("display");
  };
  const drawn = new MutationObserver(() => {
    show();
    callOff();
    callOff = whenIdle(() => layOut(box));
  });
  show();
  drawn.observe(box, { childList: true });
  return () => {
    drawn.disconnect();
    callOff();
  };
}

/** Nothing is painted meanwhile. */
function layOut(box: HTMLElement): void {
  box.style.contentVisibility = "visible";
  box.getBoundingClientRect();
  box.style.removeProperty("content-visibility");
}
