import { plural } from "@/shared/format";

export const says = {
  title: "Reward models", lead: "Every trained model, which one selects, and what was current when.", none: "No reward model yet. Train one first.",
  model: "Model", labels: "Labels", trained: "Trained", current: "Current", auc: "Held-out AUC", madeOnTheSpot: "Small model made on the spot",
  supervisions: { process: "PRM: learned from ratings of steps", outcome: "ORM: learned from final answers" },
  promote: "Make current", evaluate: "Evaluate", evaluating: "Evaluating", score: "Score the pool", download: "Download", back: "All reward models", heldBack: "Held back", insist: "Make it current anyway", why: "Why", whyHint: "Kept in the history and the audit log.",
  rollBack: "Roll back", rollBackAsk: (model: string) => `“${model}”, which was current before, becomes current again.`, history: "What was current when", since: "Since", by: "By", change: "Change", reason: "Why", promoted: "promoted", rolledBack: "rolled back", overrode: "Overridden", noHistory: "No model was current yet.",
  compared: "On the same held-out labels", figure: "Figure", this: "This one", difference: "Difference", comparedLead: (problems?: number) => (problems === undefined ? "" : `On ${plural(problems, "problem")} that neither was trained on. In grey, and after ±: 95 % intervals; differences are paired by problem.`), leftOut: (labels: string) => `${labels} left out: too long for one of the two.`, clear: "The interval leaves out 0.", unclear: "Within the noise.",
  besideCurrent: "Beside the current model", promotionRule: "Only a fall beyond both its tolerance and the noise (half the 95 % interval of the difference) holds a model back.",
  noEvaluation: "It was not evaluated yet.",
  figures: { step_auc: "Step AUC", f1: "First-error F1", accuracy: "Accuracy", loss: "Loss", calibration_error: "Calibration error", steps: "Steps" } as Partial<Record<string, string>>,
  calibration: "Calibration", calibrationLead: "Of the steps that it gives such a probability, how many are right: a bar as high as the line is perfect. Whiskers: 95 % intervals.", bin: "P(right)", probability: "Mean P(right)", frequency: "Share that is right", low: "At least", high: "At most", number: "Steps",
  firstError: "Finding the first error", firstErrorLead: "As ProcessBench asks for it; the threshold of each half was chosen on the other.", f1: "F1", erroneous: "Found in wrong solutions", correct: "Right solutions spared", threshold: "Thresholds", solutions: "Solutions, wrong + right", atTheEnd: "Decided at the last step",
  bestOf: "Best of N", bestOfLead: (problems: string) => `Share solved when one of N solutions is chosen, on ${problems} problems not trained on. Whiskers: 95 % intervals.`, samples: "N", ways: { prm: "PRM", orm: "ORM", majority: "Majority vote", oracle: "Oracle", proxy: "Proxy: the best score it expects" } as Partial<Record<string, string>>, error: "± (95 %)",
  falling: (n: number) => `Over-optimised from N = ${n}: its own score rises while accuracy falls by more than two standard errors. Choose among fewer, or train on what it likes best.`,
  quintiles: "By difficulty", quintilesLead: "Fifths of the problems, from the easiest to the hardest.", fifth: "Fifth", solved: "Solved by one", solvedShare: "Share solved", problems: "Problems",
  before: "Made from", after: "Used for", snapshot: "Snapshot", roundsBefore: "Rounds behind it", round: (phase: string, number: number, labellings: string) => `${phase}, round ${number}: ${labellings} labellings`,
  scored: "Solutions scored", selections: "Selections", selection: (phase: string, policy: string, picked: string) => `${phase}, ${policy}: ${picked} picked`, roundsAfter: "Rounds it selected", nothing: "nothing yet", run: "Training",
};
