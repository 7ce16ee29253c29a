export const says = {
  title: "Training", lead: "Choose labels, see what they hold, train a reward model on them, and compare the results.",
  supervision: "Learns from", supervisions: { process: "Ratings of steps (PRM)", outcome: "Final answers (ORM)" },
  outcomeLead: "The pool's graded solutions, right or wrong by their final answer, at most 20,000. An ORM is what a PRM is compared with.",
  labels: "Labels", holds: "What it holds", labellings: "Labellings", ratings: "Labels", positive: "Great", neutral: "Okay", negative: "Bad",
  model: "Model and settings", name: "Name", base: "Base model", baseHint: "A path or hub name. Empty: a small model made on the spot.",
  epochs: "Epochs", learning_rate: "Learning rate", automatic: "Automatic", seed: "Seed", lora_rank: "LoRA rank", loraHint: "0 trains all weights.",
  patience: "Early stop after", patienceHint: "Epochs without a better held-out AUC. 0: never.", precision: "Precision", precisionHint: "Automatic: bf16 on a GPU, fp32 elsewhere.", more: "More settings", start: "Train a model", noLabels: "There are no labels in this choice.", allHeldOut: "All of these labels are on held-out problems: there is none to train on.",
  clone: "Clone", cloneOf: (name: string) => `Clone ${name}`, cloned: (name: string) => `Filled in with the labels and settings of “${name}”. Change what you like.`, notCloned: "Start from the defaults instead",
  runs: "Trainings", none: "No trainings yet.", compare: "Choose trainings to compare them, as many as you like.", run: "Training", status: "Status", auc: "Held-out AUC", started: "Requested", compared: "Compare", toCompare: (name: string) => `Compare ${name}`,
  loss: "Training loss", lossLead: "Mean cross-entropy of each optimiser step.", aucCurve: "Held-out step AUC", aucLead: "After each epoch: how well negative steps are told from the others.", step: "Step", side: "Side by side", resolved: "What it was made with", what: "What", snapshot: "Snapshot", onlyDifferences: "Only what differs", differs: "differs", lossAxis: "Loss", aucAxis: "Step AUC",
  counts: { labellings: "Labellings", rulings: "Rulings", labels: "Labels", positive: "Great", neutral: "Okay", negative: "Bad" },
  metrics: { step_auc: "Held-out step AUC", f1: "Held-out first-error F1", accuracy: "Held-out accuracy", loss: "Held-out loss", calibration_error: "Calibration error" },
};
