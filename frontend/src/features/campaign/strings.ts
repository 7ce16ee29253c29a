import { plural } from "@/shared/format";
import { strings } from "@/shared/strings";

/** Words of the campaign's pages. */
export const says = {
  phases: {
    title: "Phases",
    round: strings.phases.round,
    kinds: { solutions: "Whole solutions, as PRM800K’s phase 2", alternatives: "Alternatives, as PRM800K’s phase 1" },
    kindNames: { solutions: "Whole solutions", alternatives: "Alternatives" },
    progress: (done: number, wanted: number) => `${done} of ${plural(wanted, "labelling")}`,
  },
  tabs: {
    rounds: "Rounds",
    selections: "Selections",
    dashboard: "Dashboard",
    people: "People",
    quality: "Quality",
    agreement: "Agreement",
    autopilot: "Autopilot",
    settings: "Settings",
  },
  moves: {
    running: "Start",
    paused: "Pause",
    closed: "Close",
    archived: "Archive",
    again: { paused: "Resume", closed: "Reopen", archived: "Unarchive" } as Partial<Record<string, string>>,
    clone: "Clone",
    cloneName: "Name of the copy",
    withMembers: "With the same people",
    cloneAct: "Create copy",
    copyOf: (name: string) => `${name} (copy)`,
  },
  sources: {
    nothing: { sources: "The whole pool", generators: "Any generator" },
    drawsFrom: (from: string, by: string) => `Rounds draw from ${from}${by && `, by ${by} only`}.`,
  },
  rounds: {
    opened: (when: string) => `Opened ${when}`,
    closed: (when: string) => `closed ${when}`,
  },
  tasks: {
    unit: ["task", "tasks"] as const,
  },
  settings: {
    none: "none",
    groups: {
      about: "Phase",
      protocol: "Protocol",
      sources: "Sources",
      generator: "Generator",
      work: "Work",
      screening: "Screening",
      gold: "Hidden gold",
    },
    names: {
      name: "Name",
      kind: "What is labelled",
      later_steps: "Later steps",
      shows_reference_answer: "Show the answer on file",
      asks_alternatives: "Ask for alternatives of the first bad step",
      asks_critiques: "Ask for critiques of the mistake",
      asks_progress: "Ask how far the solution had got",
      asks_why_unsure: "Ask why a step is unsure",
      shows_consensus: "After a round, show people where they differ from the consensus or a ruling",
      shows_gold: "After a round, show people where they differ from its hidden gold",
      alternatives_per_step: "Alternatives per step",
      generator_url: "Endpoint",
      generator_model: "Model",
      overlap: "Labellings per task",
      overlap_cap: "At most, where people disagree",
      lease_minutes: "Lease (minutes)",
      time_limit_minutes: "Time limit (minutes)",
      closes_full_rounds: "Close a round once everything in it is labelled",
      pass_mark: "Pass mark",
      screening_attempts: "Attempts",
      gives_feedback: "Show the experts’ labels afterwards",
      gold_set: "Gold set",
      gold_rate: "Share of tasks that is gold",
      pause_below: "Pause below this accuracy",
      sources: "Sources",
      generators: "Only by these generators",
      status: "State",
      instructions: "Guidelines",
    } as Record<string, string>,
    hints: {
      sources: "The imports and generations that new rounds draw from. Empty: the whole pool.",
      generators: "Empty: by any.",
      generator_url: "OpenAI-compatible, such as http://host:8000/v1.",
      generator_model: "The endpoint’s model; without an endpoint, a local path or hub name.",
      overlap: "Applies to new rounds.",
      overlap_cap: "Empty: no further labellings are requested.",
      closes_full_rounds: "A worker does it, within seconds of the last label.",
      lease_minutes: "After this long without activity, a task goes back to the queue.",
      time_limit_minutes: "Empty: no limit.",
      pass_mark: "The agreement with gold that people need to pass.",
      gold_set: "Its solutions from the phase’s sources are hidden among the tasks of new rounds.",
      pause_below: "On the last 30 gold tasks, once there are 10. Empty: nobody is paused.",
    } as Partial<Record<string, string>>,
    laterSteps: { shown: "Shown", dimmed: "Dimmed until reached", hidden: "Hidden until reached" } as Record<
      string,
      string
    >,
  },
  effects: {
    title: "What this will affect",
    change: (was: string, is: string) => `${was} → ${is}`,
    applies: { at_once: "at once", next_claim: "from the next task on", next_round: "in the next round" },
    reach: (tasks: number, people: number) =>
      [tasks > 0 && `${plural(tasks, "task")} in hand`, people > 0 && plural(people, "person", "people")]
        .filter(Boolean)
        .join(", ") || "nobody yet",
    closes:
      "Its open rounds close, and so does its screening: nobody can submit or change a labelling in them after that, not even a task in hand. Labels already given stay, and so do drafts.",
  },
  guidelines: {
    version: (version: number, when: string) => `Version ${version} · ${when}`,
  },
  people: {
    unit: ["person", "people"] as const,
    name: "Name",
    roles: { annotator: "Annotator", expert: "Expert" } as Record<string, string>,
    state: "State",
    states: { "": "none", pending: "pending", passed: "passed", failed: "failed" } as Record<string, string>,
    tried: (state: string, attempts: number) => `${state} (${plural(attempts, "attempt")})`,
    works: "Active",
  },
  quality: {
    names: { exact: "Exact", early: "Early", late: "Late", missed: "Missed", false_alarm: "False alarm" } as Record<
      string,
      string
    >,
    pausedAt: (when: string) => `Paused ${when}`,
  },
  agreement: {
    tasks: "Tasks labelled twice or more",
    alpha: "Krippendorff’s alpha",
    firstError: "Same first error",
    computed: (when: string) => `Computed ${when}. Labels stay as they are.`,
    methods: { majority: "Majority", dawid_skene: "Dawid–Skene" } as Record<string, string>,
  },
};
