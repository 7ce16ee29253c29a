import { decimal } from "@/shared/format";

export const says = {
  title: "Results by round",
  lead: "Each round with the model trained after it, measured on the labels held out at that time; + and −: against the current model of that time, on the same labels.",
  empty:
    "Each published round gets a row here: what it cost, how it was picked, and how much better the next model judges.",
  noModel: "Nothing has been measured yet. Train a model on the labels, and its metrics appear here.",
  round: "Round",
  judges: "How well the model judges",
  judgesLead: "On held-out labels; bars: 95 % intervals.",
  value: "AUC, F1",
  chooses: "Best of N against majority vote",
  choosesLead: (sizes: number[]) =>
    sizes.length === 0
      ? "Share of problems solved by choosing one solution of several."
      : `Share solved by choosing one of ${[...new Set(sizes)].join(" or ")} solutions; bars: ± 1 standard error.`,
  solved: "Solved",
  auc: "Step AUC",
  f1: "First-error F1",
  prm: "PRM",
  majority: "Majority vote",
  low: (name: string) => `${name}, low`,
  high: (name: string) => `${name}, high`,
  error: (name: string) => `${name}, error`,
  heads: [
    "Round",
    "Labellings",
    "Graded wrong",
    "Mean score",
    "Model after it",
    "Step AUC",
    "First-error F1",
    "Best of N",
    "Majority vote",
  ],
  pool: (value: string) => `pool ${value}`,
  interval: (low: number, high: number) => `${decimal(low, 2)} to ${decimal(high, 2)}`,
  plusMinus: (error: number) => `± ${decimal(error, 3)}`,
  open: "open",
  notYet: "none yet",
};
