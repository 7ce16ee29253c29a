const unpainted = new Set<() => void>();

/** Runs what nobody has to see at once when the next frame is on the screen. Returns the way to call it off. */
export function afterPaint(run: () => void): () => void {
  if (unpainted.size === 0) requestAnimationFrame(() => setTimeout(runUnpainted));
  unpainted.add(run);
  return () => unpainted.delete(run);
}

/** All at once, so that what they change is drawn once. */
function runUnpainted(): void {
  const runs = [...unpainted];
  unpainted.clear();
  for (const run of runs) run();
}

/** Runs what can wait when nothing else is to be done. Returns the way to call it off. */
export function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run);
  return () => cancelIdleCallback(handle);
}
