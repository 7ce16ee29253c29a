export const says = {
  title: "Loop", lead: "Labels train a reward model; the model picks what is most worth labelling next.", readOnly: "You can watch the loop. ML staff train and score.",
  stages: {
    train: { title: "Train", text: "Learn a reward model from the labels so far." },
    score: { title: "Score", text: "Let the current model score the solutions in the pool." },
    select: { title: "Select", text: "Pick the most convincing wrong answers." },
    publish: { title: "Publish", text: "Put the picks up as the next round." },
  },
  acts: { train: "Train a model", score: "Score the pool", select: "Select", publish: "Publish round" },
  never: "Not run yet", by: (when: string, owner: string | null) => [when, owner && `by ${owner}`].filter(Boolean).join(" · "),
  noModel: "Train a model first.", noSelection: "Make a selection first.",
  trained: (name: string, auc: string) => `${name}: held-out AUC ${auc}`, scored: (scored: string) => `${scored} solutions scored`,
  picked: (picked: string, candidates: string) => `${picked} of ${candidates} picked`, published: (round: number) => `Published as round ${round}`, current: "Current model",
} as const;
