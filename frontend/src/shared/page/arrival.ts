import { useEffect } from "react";
import { strings } from "@/shared/words/strings";
import { keepsFocus } from "./keyboard";

/** How the page that is shown was come to; undefined where it was the first. */
let way: "there" | "back" | undefined;
window.addEventListener("pushState", () => (way = "there")); // wouter's
window.addEventListener("popstate", () => (way = "back"));

/** Gives a new page's heading the focus, from its top; going back leaves the place to the browser. As a `ref`. */
export function arrive(heading: HTMLElement | null): void {
  if (heading === null || way === undefined) return;
  if (!keepsFocus()) heading.focus({ preventScroll: true });
  if (way === "there") window.scrollTo(0, 0);
  way = undefined;
}

/** The window's title while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${strings.product}`;
  }, [title]);
}
