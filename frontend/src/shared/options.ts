/** What a select offers, from the words for each value. */
export function options(words: Partial<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label: label ?? value }));
}
