import { useEffect } from "react";
import { strings } from "@/shared/words/strings";
import { keepsFocus } from "./keyboard";

/** The way to the page that is opening; undefined for the first page. */
let way: "there" | "back" | undefined;
window.addEventListener("pushState", () => (way = "there")); // wouter's
window.addEventListener("popstate", () => (way = "back"));

/** Focuses a new page's heading, and scrolls to the top; after Back, the browser restores the place. For a `ref`. */
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
