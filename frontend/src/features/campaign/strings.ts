import { plural } from "@/shared/format";
import { strings } from "@/shared/strings";

/** Every word of the campaign's pages. */
export const says = {
  phases: {
    title: "Phases", lead: "A phase is a labelling campaign with one protocol and its settings.", empty: "No phases yet. Create one below.",
    create: "New phase", make: "Create phase", name: "Name", kind: "What is labelled", round: strings.phases.round, noRound: "No round is open.",
    kinds: { solutions: "Whole solutions, as PRM800K’s phase 2", alternatives: "Alternatives, as PRM800K’s phase 1" },
    kindNames: { solutions: "Whole solutions", alternatives: "Alternatives" },
    progress: (done: number, wanted: number) => `${done} of ${plural(wanted, "labelling")}`,
    tabs: "Parts of the phase", back: "All phases",
  },
  tabs: { rounds: "Rounds", dashboard: "Dashboard", people: "People", quality: "Quality", agreement: "Agreement", settings: "Settings" },
  moves: {
    running: "Start", paused: "Pause", closed: "Close", archived: "Archive",
    again: { paused: "Resume", closed: "Reopen", archived: "Unarchive" } as Partial<Record<string, string>>,
    clone: "Clone", cloneName: "Name of the copy", withMembers: "With the same people", cloneAct: "Create copy", copyOf: (name: string) => `${name} (copy)`,
  },
  sources: {
    ask: "Its rounds draw from", some: "Only these sources", all: "The whole pool, whatever is imported later", names: "Sources", choose: "Choose", generators: "Generators", hint: "Imports and generations.", byHint: "Empty: whoever wrote them.",
    wholePool: "the whole pool", unnamed: "what has no source", none: "The pool has none of this name.", nothing: { sources: "The whole pool", generators: "Any generator" },
    of: (source: string, solutions: string) => `${source} (${solutions})`, drawsFrom: (from: string, by: string) => `Rounds draw from ${from}${by && `, by ${by} only`}.`,
  },
  rounds: {
    labelled: "Labelled", inHand: "In hand", left: "Left", ends: "Forecast end", standstill: "Nothing in the last 24 h", lastDay: "Last 24 h", tasks: (tasks: number) => plural(tasks, "task"),
    opened: (when: string) => `Opened ${when}`, closed: (when: string) => `closed ${when}`, none: "No round yet. Publish the first one below.",
    reopen: "Reopen",
    show: "Tasks", hide: "Hide the tasks", everyone: "Every annotator labels all of it before anything else.",
  },
  tasks: {
    list: "Tasks in serving order", problem: "Problem", rank: "Rank", verdict: "Verdict", labelled: "Labelled", state: "State", gold: "Gold", withdrawn: "Withdrawn", inHand: "In hand", done: "Done", waiting: "Waiting",
    choose: (problem: string) => `Choose the task “${problem}”`, chosen: (tasks: number) => `${plural(tasks, "task")} chosen`, first: "Serve first", last: "Serve last", withdraw: "Withdraw",
    withdrawAsk: "Nobody new gets these tasks. Anyone who has one in hand may finish it.", add: "Add tasks", addChosen: (solutions: number) => `Add ${plural(solutions, "solution")}`, before: "Before everything else",
    none: "No task.",
  },
  solutions: { search: "Words of the problem", verdict: "Verdict", any: "Any", none: "No matches in the pool.", steps: (steps: number) => plural(steps, "step"), choose: (problem: string) => `Choose “${problem}”` },
  next: {
    first: "Publish the first round", next: "Publish the next round", select: "Select", look: "Look at them",
    picked: (picked: number, wrong: number) => `${plural(picked, "solution")} selected, ${wrong} of them graded wrong.`, publish: (tasks: number) => `Publish ${plural(tasks, "task")}`, anew: "Select others",
    selecting: "Selecting …", publishing: "Publishing …",
  },
  screening: { title: "Screening", lead: "Round −1: every annotator labels these before anything else.", set: "Gold set", size: "How many solutions", open: "Open the screening", noSet: "Make a gold set first, on the Gold page." },
  settings: {
    save: "Save", discard: "Discard changes", none: "none", percent: " %",
    groups: { about: "Phase", protocol: "Protocol", sources: "Sources", generator: "Generator", work: "Work", screening: "Screening", gold: "Hidden gold" },
    names: {
      name: "Name", kind: "What is labelled", later_steps: "Later steps", shows_reference_answer: "Show the answer on file", asks_alternatives: "Ask for alternatives of the first bad step",
      asks_critiques: "Ask for critiques of the mistake", asks_progress: "Ask how far the solution had got", alternatives_per_step: "Alternatives per step",
      generator_url: "Endpoint", generator_model: "Model", overlap: "Labellings per task", overlap_cap: "Up to, where people disagree", lease_minutes: "Lease (minutes)", time_limit_minutes: "Time limit (minutes)", closes_full_rounds: "Close a round once everything in it is labelled",
      pass_mark: "Pass mark", screening_attempts: "Attempts", gives_feedback: "Show the experts’ labels afterwards", gold_set: "Gold set", gold_rate: "Share of tasks that is gold", pause_below: "Pause below this accuracy",
      sources: "Sources", generators: "Only by these generators", status: "State", instructions: "Guidelines",
    } as Record<string, string>,
    hints: {
      sources: "The imports and generations that new rounds draw from. Empty: the whole pool.", generators: "Empty: by any.",
      generator_url: "OpenAI-compatible, such as http://host:8000/v1.", generator_model: "The endpoint’s model; without an endpoint, a local path or hub name.", overlap: "Counts for new rounds.", overlap_cap: "Empty: nobody else is asked.", closes_full_rounds: "Within seconds of the last label; a worker does it.",
      lease_minutes: "After this long without activity, a task goes back to the queue.", time_limit_minutes: "Empty: no limit.", pass_mark: "The agreement with gold that people need to pass.", gold_set: "Hidden among the tasks of new rounds: what comes from the phase’s sources.",
      pause_below: "On the last 30 gold tasks, 10 at least. Empty: nobody is paused.",
    } as Partial<Record<string, string>>,
    laterSteps: { shown: "Shown", dimmed: "Dimmed until reached", hidden: "Hidden until reached" } as Record<string, string>,
    yes: "yes", no: "no",
  },
  effects: {
    title: "What this will affect", change: (was: string, is: string) => `${was} → ${is}`, applies: { at_once: "at once", next_claim: "from the next task on", next_round: "in the next round" },
    reach: (tasks: number, people: number) => [tasks > 0 && `${plural(tasks, "task")} in hand`, people > 0 && plural(people, "person", "people")].filter(Boolean).join(", ") || "nobody yet",
    nothing: "Nothing would change.", confirm: "Change it",
    closes: "Its open rounds close, and so does its screening: nobody can submit or change a labelling in them after that, not even a task in hand. Labels already given stay, and so do drafts.",
    staysClosed: "Its screening opens with it, if it has one; its other rounds stay closed. Reopen what people are to label, or publish the next round.",
  },
  guidelines: { title: "Guidelines", text: "Text (Markdown, with LaTeX between dollar signs)", preview: "Preview", save: "Save as a new version", version: (version: number, when: string) => `Version ${version} · ${when}`, versions: "Earlier versions", use: "Edit from this one", empty: "Nothing is written yet." },
  people: {
    add: "Add people", names: "Who", addAct: "Add to the phase", none: "Nobody is in this phase yet.", nobodyLeft: "Everyone is in this phase.", name: "Name", role: "Role", roles: { annotator: "Annotator", expert: "Expert" } as Record<string, string>, screening: "Screening", labellings: "Labellings", time: "Per task",
    last: "Last seen", quality: "On gold", state: "State", states: { "": "none", pending: "pending", passed: "passed", failed: "failed" } as Record<string, string>, tried: (state: string, attempts: number) => `${state} (${plural(attempts, "attempt")})`,
    pause: "Pause", goOn: "Resume", letIn: "Admit", paused: "Paused", works: "Active", inactive: "Inactive", ofGold: (share: string, tasks: number) => `${share} of ${plural(tasks, "task")}`, roleOf: (name: string) => `Role of ${name}`,
    passedOver: "Admitted by an admin",
  },
  quality: {
    title: "On hidden gold", none: "No hidden gold was labelled yet, or none since a pause ended. Choose a gold set and a share in the settings; it comes with the next round.", outcomes: "First error, against gold", goldTasks: "Gold tasks", accuracy: "Share exact", interval: "95 % interval", agreement: "Step agreement",
    names: { exact: "Exact", early: "Early", late: "Late", missed: "Missed", false_alarm: "False alarm" } as Record<string, string>, drifting: "Getting worse", driftWhy: "The last ten gold tasks are clearly worse than what came before.",
    pausedAt: (when: string) => `Paused ${when}`, rule: (share: string) => `Below ${share} on the last 30 gold tasks, 10 at least, people are paused automatically.`, noRule: "Nobody is paused automatically: the settings name no accuracy.", goOn: "Resume", of: (low: string, high: string) => `${low} to ${high}`,
  },
  agreement: {
    round: "Round", tasks: "Tasks labelled twice or more", alpha: "Krippendorff’s alpha", firstError: "Same first error", pairs: "Pair", none: "No task of this round has two labellings yet. Ask for more than one per task in the settings.", noRounds: "No round yet.",
    consensus: "Consensus", compute: "Compute the consensus", computed: (when: string) => `Computed ${when}. Labels stay as they are.`, notYet: "Not computed yet.", methods: { majority: "Majority", dawid_skene: "Dawid–Skene" } as Record<string, string>, method: "Method",
    problem: "Problem", says: "What people say together", sure: "Least sure", labellings: "Labellings",
  },
  gold: {
    title: "Gold", lead: "Experts’ labels, for screening and for quality control. A correction is a new version; nothing is overwritten.", set: "Gold set", all: "All sets", none: "No gold yet. Label a solution of the pool, or import a file.", size: (solutions: number) => plural(solutions, "solution"),
    label: "Label a solution", import: "Import a file", problem: "Problem", ratings: "Ratings", version: "Version", author: "By", rationale: "Rationale", rationaleHint: "Shown as feedback after screening.", out: "Out of service", open: (problem: string) => `Open the gold of “${problem}”`,
    save: "Save as gold", correct: "Save as a new version", takeOut: "Take out of service", takeOutAsk: "Neither screening nor quality control of new rounds uses it then.", rate: (step: number) => `Rating of step ${step}`, after: "Not rated: it comes after the first Bad one.", history: "Versions", versionBy: (version: number, by: string, when: string) => `Version ${version} · ${by} · ${when}`,
    pickOne: "Label", pick: (problem: string) => `Label “${problem}”`, openOne: "Open", nobody: "imported", choose: "Choose a file", incomplete: "Rate every step, up to and including the first Bad one.", file: "File", fileHint: "JSON lines: solution (its id), ratings, and a rationale if there is one. All rows or, where one is wrong, none.", importAct: (rows: number) => `Import ${plural(rows, "row")}`, notJson: (line: number) => `Line ${line} is not JSON.`,
    disputes: (open: number) => `${plural(open, "dispute")} of gold open`, settle: "Settle",
  },
};
