/** What a select offers, from the words for each value. */
export function options<Value extends string>(
  words: Partial<Record<Value, string>>,
): { value: Value; label: string }[] {
  return (Object.entries(words) as [Value, string | undefined][]).map(([value, label]) => ({
    value,
    label: label ?? value,
  }));
}
