export const says = {
  title: "Loop", lead: "Labels train a reward model; the model picks what is most worth labelling next. One strip for each phase that is not closed.",
  current: "Current model", none: "No phase is going. Make one on the page “Phases”.",
} as const;
