export const says = {
  title: "Reward models", lead: "Every trained model, which one selects, and what was current when.", none: "No reward model yet. Train one first.",
  model: "Model", labels: "Labels", trained: "Trained", current: "Current", auc: "Held-out AUC", madeOnTheSpot: "Small model made on the spot",
  promote: "Make current", evaluate: "Evaluate", evaluating: "Evaluating", score: "Score the pool", download: "Download", back: "All reward models", heldBack: "Held back", insist: "Make it current all the same", why: "Why", whyHint: "Kept in the history and the audit log.",
  rollBack: "Roll back", rollBackAsk: "The model that was current before becomes current again.", history: "What was current when", since: "Since", by: "By", change: "Change", reason: "Why", promoted: "promoted", rolledBack: "rolled back", overrode: "Overridden", noHistory: "No model was current yet.",
  compared: "On the same held-out labels", figure: "Figure", now: "Current model", this: "This model", noEvaluation: "It was not evaluated yet.",
  figures: { step_auc: "Step AUC", f1: "First-error F1", accuracy: "Accuracy", loss: "Loss", calibration_error: "Calibration error", steps: "Steps" } as Partial<Record<string, string>>,
  calibration: "Calibration", calibrationLead: "How often steps are right that it gives a probability; the even line is perfect.", probability: "Mean P(right)", frequency: "Share that is right", even: "Even", number: "Steps",
  firstError: "Finding the first error", firstErrorLead: "As ProcessBench asks for it; the threshold of each half was chosen on the other.", f1: "F1", erroneous: "Found in wrong solutions", correct: "Right solutions spared", threshold: "Thresholds", solutions: "Solutions, wrong + right", atTheEnd: "Decided at the last step",
  bestOf: "Best of N", bestOfLead: (problems: string) => `Share solved when one of N solutions is chosen, on ${problems} problems not trained on. Bars: one standard error.`, samples: "N", ways: { prm: "PRM", orm: "ORM", majority: "Majority vote", oracle: "Oracle" } as Partial<Record<string, string>>, error: "error",
  quintiles: "By difficulty", quintilesLead: "Fifths of the problems, from the easiest to the hardest.", fifth: "Fifth", solved: "Solved by one", problems: "Problems",
  lineage: "Lineage", before: "What it came from", after: "What came of it", snapshot: "Snapshot", roundsBefore: "Rounds behind it", round: (phase: string, number: number, labellings: string) => `${phase}, round ${number}: ${labellings} labellings`,
  scored: "Solutions scored", selections: "Selections", selection: (phase: string, policy: string, picked: string) => `${phase}, ${policy}: ${picked} picked`, roundsAfter: "Rounds it put up", nothing: "nothing yet", run: "Training",
};
