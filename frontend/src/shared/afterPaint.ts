/** Runs what nobody has to see at once when the next frame is on the screen. Returns the way to call it off. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** A person who types, or has a dialog open, keeps the focus where it is. */
export function isTypingElsewhere(): boolean {
  return document.activeElement?.closest("textarea, input, [role=dialog]") != null;
}
