import { plural } from "@/shared/format";

export const says = {
  title: "Where you differed",
  lead: "Your last labellings in rounds that are closed, beside what was agreed on. The first step that differs is shown.",
  nothing: "There is nothing to compare yet.",
  compared: (compared: number, differing: number) =>
    differing === 0
      ? `You agreed on all ${plural(compared, "task")}.`
      : `You differed on ${differing} of ${plural(compared, "task")}.`,
  newest: (shown: number) => `These are the newest ${shown}.`,
  step: (round: string, step: number) => `${round}, step ${step}`,
  solution: (steps: number) => (steps === 1 ? "The step before" : `The ${steps} steps before`),
  you: "You",
  sources: { ruling: "An expert’s ruling", consensus: "Most others", experts: "Experts" },
  notRated: "not rated",
};
