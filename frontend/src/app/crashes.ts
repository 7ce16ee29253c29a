import { client, ProblemError } from "@/api/client";

const MOST = 5;
const reported = new Set<string>();

/** The page's path without an invitation's secret. */
function place(): string {
  return window.location.pathname.replace(/^\/invite\/.*/, "/invite/…").slice(0, 300);
}

/** Sends a crash to the server's log, once per message and five at most; refusals by the server are no crashes. */
export function reportCrash(caught: unknown): void {
  const error = caught instanceof Error ? caught : new Error(String(caught));
  const message = (error.message || error.name).slice(0, 500);
  if (error instanceof ProblemError || message.startsWith("ResizeObserver loop")) return;
  if (reported.has(message) || reported.size >= MOST) return;
  reported.add(message);
  const [version = ""] = /[\w-]+\.js$/.exec(import.meta.url) ?? [];
  const body = { message, stack: (error.stack ?? "").slice(0, 4000), path: place(), version };
  client.POST("/api/crashes/", { body }).catch(() => undefined);
}
