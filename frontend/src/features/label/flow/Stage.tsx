import { Activity, useLayoutEffect, useRef, type ReactNode } from "react";
import { whenIdle } from "@/shared/page/afterPaint";
import classes from "../LabelPage.module.css";

const KEEPS_LAYOUT = "contentVisibility" in document.documentElement.style;

/**
 * A visible screen, or one out of sight, without effects but laid out, so that showing it only costs the paint.
 * `Activity` alone would give it `display: none`, which has no layout.
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

/** Keeps a hidden screen laid out. Returns the function that stops this. */
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

/** Forces the layout of the box, without painting it. */
function layOut(box: HTMLElement): void {
  box.style.contentVisibility = "visible";
  box.getBoundingClientRect();
  box.style.removeProperty("content-visibility");
}
