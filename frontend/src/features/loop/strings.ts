export const says = {
  title: "Loop",
  lead: "Labels train a reward model; the model picks what is most worth labelling next. One strip for each phase that is not closed.",
  current: "Current model",
  none: "No phase is active. Create one on the Phases page.",
} as const;
