export const says = {
  title: "Verifier", lead: "A problem and one or several solutions: which step looks wrong first, and which solution is best.",
  problem: "Problem", solution: (number: number) => `Solution ${number}`, hint: "Paragraphs are steps; without blank lines, every line is one.",
  add: "Add a solution", remove: (number: number) => `Remove solution ${number}`, judge: "Judge", model: "Reward model", current: "The current one",
  threshold: "Suspect below P(right)", rank: (rank: number, all: number) => (all > 1 ? `Rank ${rank} of ${all}` : ""),
  product: "Score (product)", minimum: "Lowest step", suspect: "First suspect step", none: "None", suspectHere: "First suspect",
  truncated: "Longer than the model can read, so it has no score.", by: (model: string) => `Judged by ${model}`, waits: "No answer yet.",
};
