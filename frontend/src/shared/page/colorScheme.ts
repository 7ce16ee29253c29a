import { useSyncExternalStore } from "react";

export type ColorScheme = "auto" | "light" | "dark";

/** Read by public/color-scheme.js as well, before the first paint. */
const KEY = "mantine-color-scheme-value";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let chosen = stored();

function stored(): ColorScheme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto"; // storage is blocked
  }
}

function shown(): "light" | "dark" {
  return chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
}

function show(): void {
  document.documentElement.setAttribute("data-mantine-color-scheme", shown());
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

dark.addEventListener("change", show);
window.addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  chosen = stored();
  show();
});

export function chooseColorScheme(scheme: ColorScheme): void {
  chosen = scheme;
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // It holds until the next reload.
  }
  show();
}

/** The scheme that this person chose in this browser. */
export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(subscribe, () => chosen);
}

/** The scheme that is drawn: the chosen one, or the system's where that is the choice. */
export function useShownScheme(): "light" | "dark" {
  return useSyncExternalStore(subscribe, shown);
}
