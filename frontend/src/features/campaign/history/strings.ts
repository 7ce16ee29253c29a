import { decimal } from "@/shared/format";

export const says = {
  title: "Results by round",
  round: "Round",
  choosesLead: (sizes: number[]) =>
    sizes.length === 0
      ? "Share of problems solved by choosing one solution of several."
      : `Share solved by choosing one of ${[...new Set(sizes)].join(" or ")} solutions; bars: ± 1 standard error.`,
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
  plusMinus: (error: number) => `± ${decimal(error, 3)}`,
};
