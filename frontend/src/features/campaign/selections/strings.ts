export const says = {
  picked: "Picked",
  lists: { picked: "Picked", wrong: "Top wrong answers", aside: "Set aside" },
  discarded: (when: string) => `Discarded ${when}.`,
  how: (model: string | null | undefined, seed: number | undefined) =>
    [model && `by “${model}”`, `seed ${seed ?? 0}`].filter(Boolean).join(", "),
} as const;
