/** A number out of the server's free-form metrics or counts: at the top, or under `held_out`. */
export function numberIn(metrics: unknown, name: string): number | null {
  if (typeof metrics !== "object" || metrics === null) return null;
  const found = (metrics as Record<string, unknown>)[name];
  if (typeof found === "number") return found;
  return "held_out" in metrics ? numberIn(metrics.held_out, name) : null;
}
