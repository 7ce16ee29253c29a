import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, vi } from "vitest";

// What jsdom lacks; between files, too, as a page that still loads then may need it.
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>("[tabindex]")?.focus(); // the first that can have it, as in a browser
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
function cancelByEscape({ key, defaultPrevented }: KeyboardEvent) {
  if (key === "Escape" && !defaultPrevented)
    document.querySelector("dialog[open]")?.dispatchEvent(new Event("cancel", { cancelable: true }));
}
window.addEventListener("keydown", cancelByEscape);

// A busy machine draws a page in seconds: what is waited for may take its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  document.body.replaceChildren(); // what a test put there itself, too: the next file's queries would find it
  window.dispatchEvent(new Event("pointerdown")); // nobody has just moved the focus
});

// Files share a window: each finds it as a browser opens it.
history.replaceState(null, "", "/");
localStorage.clear();
sessionStorage.clear();
afterAll(async () => {
  vi.useRealTimers();
  await vi.dynamicImportSettled(); // a page that still loads when its file ends would fail for the files after it
  window.removeEventListener("keydown", cancelByEscape);
  vi.unstubAllGlobals();
});
