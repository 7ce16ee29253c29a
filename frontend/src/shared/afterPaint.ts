/** Runs what nobody has to see at once when the next frame is on the screen. Returns the way to call it off. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
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

/** A person who types, or has a dialog open, keeps the focus where it is. */
export function isTypingElsewhere(): boolean {
  return document.activeElement?.closest("textarea, input, dialog, [role=dialog]") != null;
}
