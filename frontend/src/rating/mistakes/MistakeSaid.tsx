interface Said {
  step: number;
  kind: string;
  root_cause: number | null;
}

/** The experts' statement about the mistake at a step, if there is one: its kind by name, and its root cause. */
export function MistakeSaid({ step, mistakes }: { step: number; mistakes: readonly Said[] | undefined }) {
  const said = mistakes?.find((each) => each.step === step);
  if (!said) return null;
  return <bdi>{[said.kind, causeOf(said.root_cause, step)].filter(Boolean).join(" · ")}</bdi>;
}

/** Returns the root cause in words; "" for none. A step may be its own root cause. */
export function causeOf(cause: number | null, step?: number): string {
  if (cause === null) return "";
  return cause === step ? "the root cause" : `because of step ${cause + 1}`;
}
