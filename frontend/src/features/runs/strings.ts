export const says = {
  title: "Runs", lead: "Every job, the newest first: what it works on, how far it is, and its results.",
  kind: "Kind", status: "Status", owner: "Owner", anything: "Anything", filters: "Filter the runs", none: "No runs.",
  kinds: { train: "Training", evaluate: "Evaluation", score: "Scoring", select: "Selection", publish: "Publication", generate: "Generation", import: "Import", verify: "Verification", complete: "Completions" } as Partial<Record<string, string>>,
  run: "Run", started: "Requested", inputs: "Works on", outputs: "Results", log: "Log", noLog: "It has written nothing yet.", open: (name: string) => `Open ${name}`,
  resolved: "Settings, code and machine", took: "Worked", attempts: "Attempts",
};
