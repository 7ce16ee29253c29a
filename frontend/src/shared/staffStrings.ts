/** What only the staff's pages say: annotators load none of it. */
export const staffStrings = {
  interval: "95 % interval",
  resolved: {
    stepmark: "Stepmark", commit: "Commit", python: "Python", torch: "PyTorch", transformers: "Transformers", device: "Device", base: "Base model", snapshot: "Snapshot", seed: "Seed",
    epochs: "Epochs", learning_rate: "Learning rate", batch_tokens: "Tokens per step", tokens_per_pass: "Tokens per pass", tokens_read: "Tokens read", optimiser_steps: "Optimiser steps", parameters: "Parameters", precision: "Precision", gradient_checkpointing: "Gradient checkpointing",
    max_length: "Max length", lora_rank: "LoRA rank", patience: "Early stop after", warmup: "Warm-up", weight_decay: "Weight decay", clip: "Gradient clip", checkpoint_every: "Checkpoint every", pretraining: "Pre-training",
    aggregate: "Score of a solution", neutral_is_positive: "Neutral counts as right", window: "Window", resamples: "Resamples",
  } as Partial<Record<string, string>>,
  labelChoice: {
    phases: "Phases", rounds: "Rounds", annotators: "Annotators", without_annotators: "Leave out annotators", all: "All", everyone: "Everyone", nobody: "Nobody",
    round: (phase: string, number: number) => `${phase}, ${number < 0 ? "screening" : `round ${number}`}`,
    split: "Split of the problems", splits: { "": "Both", train: "Train", test: "Test (held out)" },
    consensus: "Where several people labelled a task", methods: { "": "What each of them said", majority: "Their majority", dawid_skene: "Their consensus (Dawid-Skene)" },
    rulings: "Where an expert has ruled on a task, the ruling stands, and nothing else that was said about it.",
    include: "Include", includeHint: "Left out unless ticked.", reasons: { screening: "Screening", gold: "Solutions with gold", give_up: "Given up", bad_problem: "Bad problems" },
    counts: { labellings: "Labellings", rulings: "Rulings", consensuses: "Consensuses", labels: "Labels", positive: "Great", neutral: "Okay", negative: "Bad", unsure: "Unsure" },
    heldOut: "Held out", left: "Left out", nothingLeft: "nothing",
    leftOut: {
      screening: (number: string) => `${number} screening`, gold: (number: string) => `${number} on gold`, give_up: (number: string) => `${number} given up`,
      bad_problem: (number: string) => `${number} bad problem`, settled: (number: string) => `${number} replaced by a ruling or consensus`,
    },
  },
  figure: { table: "Table", tableOf: (title: string) => `Table: ${title}`, csv: "CSV", csvOf: (title: string) => `CSV: ${title}` },
  verdicts: { right: "Right", wrong: "Wrong", unsure: "Unsure" },
  grader: (version: string) => (version === "given" ? "the file it came from" : version),
  statuses: {
    queued: "Queued", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled", undone: "Undone",
    publishing: "Being published", open: "Open", closed: "Closed", draft: "Draft", paused: "Paused", archived: "Archived",
    off: "Off", on: "On", stopped: "Stopped", waiting: "Waiting", sent: "Sent", published: "Published", discarded: "Discarded",
  } as Record<string, string>,
  changes: {
    changed: (was: string, is: string) => `${was} → ${is}`, empty: "empty",
    kinds: {
      phase: "Phase", round: "Round", membership: "Member", gold: "Gold", user: "Person", report: "Report", rewardmodel: "Reward model", selection: "Selection",
      autopilot: "Autopilot", import: "Import", generation: "Generation", invitation: "Invitation", apitoken: "API token", case: "Case", problem: "Problem", solution: "Solution", labelling: "Labelling", consensus: "Consensus",
    } as Partial<Record<string, string>>,
  },
  labellings: {
    title: "Labellings", lead: "What was submitted, newest first.",
    problem: "Problem", annotator: "Annotator", finish: "Finish", ratings: "Ratings", submitted: "Submitted",
    phase: "Phase", round: "Round", all: "All", anyone: "Anyone", detail: "Labelling", unlabelled: "Not labelled",
    reference: "Reference answer", note: "Note", own: "Written by the annotator", checked: "A check said:", earlierChecks: { all_fine_but_wrong: "All steps are fine, but the final answer is not the one on file." }, versions: "Versions", version: (number: number) => `Version ${number}`,
    search: "Filter the labellings", clear: "Clear filters", open: "Open the labelling of ",
  },
  pool: {
    title: "Pool", lead: "Every solution that can be selected for labelling, and how its answer was graded.",
    problems: "Problems", solutions: "Solutions", labelled: "Labelled", source: "Source", graded: "Graded answers",
    empty: "The pool is empty. Import a file on the Data page.",
  },
  heat: { right: (chance: string) => `P(right) ${chance}`, unread: "Not read: too long", scoredBy: "Step scores by", none: "None" },
  workers: {
    none: "No worker is running",
    what: "Jobs wait in the queue until one is. Start everything with",
    command: "make run",
  },
  rounds: {
    isOpen: (number: number) => `Round ${number} is open.`, close: (number: number) => `Close round ${number}`, closeEarly: "Close early",
    howFar: (done: string, wanted: string, inHand: string) => `${done} of ${wanted} labelled, ${inHand} in hand.`,
    closeQuestion: (done: number, wanted: number, inHand: number) =>
      `${done} of ${wanted} labellings are done and stay. ${inHand === 0 ? "Nothing is in hand." : `${inHand === 1 ? "1 task is" : `${inHand} tasks are`} in hand and can no longer be submitted; drafts are kept.`} What is left is not labelled.`,
    closeFirst: "Close it first: one round of a phase is open at a time.",
  },
  runs: { left: (time: string) => `about ${time} left`, cancel: "Cancel", cancelling: "Cancelling", retry: "Try again" },
} as const;
