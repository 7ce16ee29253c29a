const unpainted = new Set<() => void>();

/** Runs what is not urgent once the next frame is on the screen. Returns a function that cancels it. */
export function afterPaint(run: () => void): () => void {
  if (unpainted.size === 0) requestAnimationFrame(() => setTimeout(runUnpainted));
  unpainted.add(run);
  return () => unpainted.delete(run);
}

/** Runs all together, so that their changes are drawn once. */
function runUnpainted(): void {
  const runs = [...unpainted];
  unpainted.clear();
  for (const run of runs) run();
}

/** Runs what can wait once the browser is idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run);
  return () => cancelIdleCallback(handle);
}
