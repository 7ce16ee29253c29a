/** The phase that a person worked in last, in this browser: the home page begins with it. */
const PREFIX = "stepmark.phase.";

export function keepLastPhase(user: string, phase: string): void {
  try {
    localStorage.setItem(PREFIX + user, phase);
  } catch {
    // No room: the home page begins with the newest.
  }
}

export function lastPhase(user: string): string | null {
  return localStorage.getItem(PREFIX + user);
}
