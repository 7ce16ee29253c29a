export const says = {
  title: "Best of N", lead: "The more solutions a model may choose from, the more its score is fooled. While its own score rises, accuracy should not fall.",
  none: "No model has scored several solutions of a problem yet. Score the pool on the Loop page.",
  figure: (model: string) => `Best of N by ${model}`, of: (problems: string) => `Exact, over ${problems} problems with as many graded solutions.`,
  n: "N", accuracy: "Accuracy", error: "Standard error", proxy: "Proxy: its own best score", oracle: "Oracle: any is right",
  falling: (n: number) => `Over-optimised from N = ${n}: the score rises while accuracy falls by more than two standard errors. Choose among fewer, or train on what it likes best.`,
};
