type TourKey = "great" | "okay" | "bad" | "unsure" | "undo" | "help" | "calculator" | "compare" | "submit" | "choose" | "write";

/** Every word on the screen, in one place. Functions where a number or a name goes in. */
export const strings = {
  /** "rtl" for languages written from right to left. */
  direction: "ltr" as "ltr" | "rtl",
  language: "en",
  product: "Stepmark",
  tagline: "Reasoning, rated one step at a time.",
  unreachable: "The server cannot be reached. Check your connection.",
  retry: "Try again",
  crashed: "This page broke, or a newer version was installed. What you had saved is safe.",
  reload: "Load it again",
  loading: "Loading", brokenFormula: "This formula could not be drawn; this is its source",
  cancel: "Cancel",
  close: "Close",
  previous: "Previous",
  next: "Next",
  page: (page: number) => `Page ${page}`,
  nothing: "Nothing here yet.",
  copy: { do: "Copy", done: "Copied", failed: "Not copied" },
  interval: "95 % interval",
  resolved: {
    stepmark: "Stepmark", commit: "Commit", python: "Python", torch: "PyTorch", transformers: "Transformers", device: "Device", base: "Base model", snapshot: "Snapshot", seed: "Seed",
    epochs: "Epochs", learning_rate: "Learning rate", batch_tokens: "Tokens per step", tokens_per_pass: "Tokens per pass", tokens_read: "Tokens read", optimiser_steps: "Optimiser steps", parameters: "Parameters", precision: "Precision", gradient_checkpointing: "Gradient checkpointing",
    max_length: "Max length", lora_rank: "LoRA rank", head_steps: "Head-first steps", patience: "Early stop after", warmup: "Warm-up", weight_decay: "Weight decay", clip: "Gradient clip", checkpoint_every: "Checkpoint every", pretraining: "Pre-training",
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
  notFound: "There is no page here.",
  home: "To the start page",
  skipToContent: "Skip to the content",

  ratings: { great: "Great", okay: "Okay", bad: "Bad", unsure: "Unsure" },
  verdicts: { right: "Right", wrong: "Wrong", unsure: "Unsure" },
  grader: (version: string) => (version === "given" ? "the file it came from" : version),
  finishReasons: {
    found_error: "Error found", solution: "Whole solution", bad_problem: "Bad problem", give_up: "Gave up",
  } as Record<string, string>,
  finishUnknown: "End not recorded",
  statuses: {
    queued: "Queued", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled", undone: "Undone",
    open: "Open", closed: "Closed", draft: "Draft", paused: "Paused", archived: "Archived",
    off: "Off", on: "On", stopped: "Stopped", waiting: "Waiting", sent: "Sent", published: "Published", discarded: "Discarded",
  } as Record<string, string>,

  nav: {
    main: "Main", menu: "Menu", label: "Label",
    groups: { campaign: "Campaign", labels: "Labels", pool: "Pool", models: "Models" },
    pages: {
      "/phases": "Phases",
      "/gold": "Gold",
      "/people": "People",
      "/changes": "Changes",
      "/labellings": "Labellings",
      "/adjudication": "Adjudication",
      "/pool": "Pool",
      "/data": "Data",
      "/loop": "Loop",
      "/generation": "Generation",
      "/selections": "Selections",
      "/autopilot": "Autopilot",
      "/training": "Training",
      "/models": "Reward models",
      "/runs": "Runs",
      "/verifier": "Verifier",
      "/triage": "Second looks",
    },
    waits: (open: number) => `${open} waiting`, account: "Your account",
    signOut: "Sign out",
    scheme: (now: string) => `Colours: ${now}. Change`, schemes: { light: "light", dark: "dark", auto: "as the system" },
    roles: { annotator: "Annotator", admin: "Admin", ml_staff: "ML staff" } as Record<string, string>, superuser: "Superuser",
  },

  signIn: {
    title: "Sign in", username: "User name", password: "Password", submit: "Sign in",
    about: "People rate each step of a model’s solution. A reward model learns from the ratings, and picks what is worth rating next.",
  },

  phases: {
    title: "Your work",
    lead: "Pick a phase. You rate a solution step by step, until its end or its first mistake.",
    start: "Start labelling", empty: "No phase is open to you at the moment. Ask an admin to add you to one.",
    round: (number: number) => (number === -1 ? "Screening" : number === -2 ? "Quality control" : `Round ${number}`),
    kinds: { solutions: "Whole solutions", alternatives: "Alternatives" } as Record<string, string>,
    screeningFirst: "Screening first: a set of tasks that experts labelled, too.", startScreening: "Start the screening",
    screeningFailed: "Your agreement in the screening was below what this phase asks for. Talk to an admin about another try.",
    paused: "Your work is paused. Staff want to talk to you before you go on.",
    notMember: "You have not been added to this phase.", noRound: "No round is open just now.", noTasks: "You have labelled everything in this round.", notRunning: "This phase is not running.",
    enterHint: "Enter starts the first one",
  },

  label: {
    problem: "Problem", solution: "Solution", guess: "Current guess",
    guessNote: "The answer on file. It may be wrong: judge the steps by the mathematics.",
    step: (step: number) => `Step ${step}`,
    rateStep: (step: number) => `Rating of step ${step}`,
    rated: (step: number, word: string) => `Step ${step}: ${word}.`,
    notLabelled: "Not labelled", notLabelledWhy: "Steps after the first bad one are not labelled.",
    hiddenSteps: (left: number) => (left === 1 ? "One more step, shown when it is reached." : `${left} more steps, shown one by one.`),
    goTo: (step: number, word: string) => `Step ${step}, rated ${word}. Change it`,
    addNote: "Add a note", note: (step: number) => `Note on step ${step}`, notePlaceholder: "What should a reader know about this step?",
    undo: "Undo", help: "Keys and guide", activeTime: "Active time",
    badProblem: "Bad problem", giveUp: "Give up", release: "Give the task back",
    progress: (done: number, all: number) => `${done} of ${all} steps rated`,
    foundError: (step: number) => `Error found at step ${step}`, wholeSolution: "The whole solution is fine",
    foundErrorMore: "Later steps stay unlabelled.",
    lastStepHint: "If the solution stops before it is complete, its last step is Bad.",
    submit: "Submit",
    saves: {
      saved: "Saved", saving: "Saving", kept: "Saved in this browser", unsaved: "Not saved yet", offline: "Offline: kept here, will be saved when you are back",
    },
    reasonTitles: { bad_problem: "What is wrong with this problem?", give_up: "Why give up on this one?" },
    reasonHints: {
      bad_problem: "For example: it cannot be understood, something is missing, or it has no answer.",
      give_up: "For example: you cannot check it in reasonable time. Nobody is judged for giving up.",
    },
    reason: "Reason", sendReason: "Send and go on",
    commands: {
      great: "Great: right, checkable, moves on", okay: "Okay: right, but adds nothing", bad: "Bad: wrong, or cannot be checked",
      unsure: "Unsure: flag it, no rating", next: "Next step", previous: "Step before", undo: "Undo the last rating",
      note: "Write a note on this step", submit: "Submit, when complete", badProblem: "Bad problem", giveUp: "Give up", help: "This help",
      choose: "Go on with this completion", write: "Write your own step, or your own critique", report: "Report the reference answer as wrong",
      history: "Your last submissions", guidelines: "Guidelines", compare: "Show what changed against the step before",
      copy: "Copy the step as LaTeX", calculator: "Calculator", larger: "Larger text", smaller: "Smaller text",
    },
    helpTitle: "Keys and guide", guideTitle: "What the ratings mean",
    guide: {
      great: "Correct, can be verified in about half a minute, fits what came before, and moves the solution on.",
      okay: "Reasonable and correct, but adds nothing: a repetition, a remark, a plan.",
      bad: "Anything else: wrong, gibberish, cannot be verified, or a dead end. The first Bad step ends the labelling.",
      unsure: "You cannot tell. The step is flagged and gets no rating.",
    },
    endings: {
      no_open_round: { title: "No round is open", text: "There is nothing to label in this phase until the next round starts. Your work so far is safe." },
      nothing_left: { title: "All done here", text: "There is no task left for you in this round. Thank you. More may come when a new round opens." },
      not_a_member: { title: "You are not in this phase", text: "Ask an admin to add you to it." },
      screening_failed: { title: "The screening is over", text: "Your agreement with the experts was below what this phase asks for. Talk to an admin about another try." },
      paused: { title: "Your work is paused", text: "Staff want to talk to you before you go on. Your work so far is safe." },
      phase_not_running: { title: "This phase is paused", text: "Staff have stopped this phase for now. Your work so far is safe." },
      lost: { title: "This task is no longer open here", text: "It was given back after a long pause, submitted already, or opened in another tab. What you had saved is kept." },
      failed: { title: "The task could not be loaded", text: "" },
      elsewhere: { title: "Open in another tab", text: "You are labelling this phase in another tab. One tab at a time, so that they do not get in each other’s way." },
      offline: { title: "You are offline", text: "" },
    },
    beside: {
      alternatives: (step: number) => `Alternatives for step ${step}`, alternativesWhy: "Other ways to go on at this place. Rate each as you rate a step.",
      critiques: "Critiques of the mistake", critiquesWhy: "Do they say what is wrong, and nothing wrong? Rate each, or write your own.",
      alternative: (letter: string) => `Alternative ${letter}`, critique: (letter: string) => `Critique ${letter}`,
      ownCritique: "Your own critique", ownCritiquePlaceholder: "Say what is wrong with this step, and why.", write: "Write your own critique",
      progress: "How far had the solution got before the mistake?",
      progressOf: { none: "Nowhere", some: "Part of the way", most: "Most of the way", almost: "Almost there" },
      said: (what: string, word: string) => `${what}: ${word}.`,
      pending: { alternatives: "Alternatives are being written …", critiques: "Critiques are being written …" },
      none: { alternatives: "There are no alternatives for this step.", critiques: "No critique is on offer. You may write one." },
      failed: "The generator did not answer.", again: "Ask again", skip: "Go on without",
      missing: { alternatives: "Next: rate the alternatives.", critiques: "Next: rate the critiques, or write your own.", progress: "Next: how far had it got?" },
    },
    outbox: {
      offline: (waiting: number) => `Offline: ${waiting === 1 ? "1 submission" : `${waiting} submissions`} waiting`,
      kept: (waiting: number) => `${waiting === 1 ? "1 submission is" : `${waiting} submissions are`} kept here and will go out by themselves. This page goes on when you are back.`,
      refused: "Not accepted", lookAgain: "Look again", discard: "Discard", sureDiscard: "Discard it for good",
    },
    checks: {
      no_error: "You found no error. Now and then a submission like this comes up again, at random: is the last step right?",
      fine_but_incomplete: "The last step is Great, but the solution states no final answer.",
      too_fast: "That was faster than anybody can read it.",
      lookAgain: "Look again", title: "Submitted. Worth a second look?",
    },
    history: {
      title: "Your last submissions", empty: "Nothing submitted in this round yet.", revise: "Revise",
      lead: "They can be changed for as long as the round is open.",
    },
    revising: { banner: "You are revising what you submitted.", again: "You are looking at this one again.", back: "Back to the task in hand" },
    report: {
      button: "Answer looks wrong", done: "Reported", title: "The answer on file looks wrong?",
      about: "An admin will look into it. It changes nothing about your rating: judge the steps by the mathematics.",
      note: "What should it be, and why?", send: "Report it", again: "You have reported it. You can change what you said.",
    },
    dispute: {
      button: "The experts look wrong", done: "Reported. An admin will look into it.", title: "The experts’ labels look wrong?",
      about: "An admin will look into it. Your screening goes on meanwhile.", note: "Which step, and why?", send: "Report it",
    },
    screening: {
      title: "Screening", progress: (done: number, all: number) => `Task ${done} of ${all}`, agreement: (share: string) => `${share} agreement`,
      same: "You rated every step as the experts did.", differs: (step: number) => `Step ${step} is where you first differ from the experts.`,
      you: "You", experts: "Experts", notRated: "not rated", why: "Why", goOn: "Go on",
      passed: { title: "Screening passed", text: "Thank you. From now on your ratings count." },
      failed: { title: "The screening is over", text: "Your agreement with the experts was below what this phase asks for." },
    },
    quickReasons: {
      bad_problem: ["It cannot be understood", "Something is missing", "It has no answer, or several", "It contradicts itself", "A picture is needed"],
      give_up: ["It takes too long to check", "It is beyond what I know", "The text is broken"],
    },
    completions: {
      completion: (letter: string) => `Completion ${letter}`, rate: (name: string) => `Rating of ${name}`,
      rated: (name: string, word: string) => `${name}: ${word}.`, note: (name: string) => `Note on ${name}`,
      list: (step: number) => `Completions of step ${step}`,
      own: "Your own step", edit: "Edit", statesAnswer: "Final answer", chosen: "Goes on", choose: "Go on with this one",
      loading: "Looking for completions", slow: "This takes a while. You can wait, or write your own.",
      none: "Nothing is stored after this step. Let another Great completion go on, write the step yourself, or give up.", failed: "No more completions came.", again: "Ask again", write: "Write your own",
    },
    trajectory: {
      label: "The solution so far", change: (step: number) => `Change step ${step}`, changeWord: "Change", back: (step: number) => `Back to step ${step}`,
      progress: (step: number, done: number, all: number) => `Step ${step}: ${done} of ${all} rated`,
      goesOn: (name: string) => `${name} goes on.`, goesOnMore: "Another Great one can go on in its place.",
      goOn: (step: number) => `Go on to step ${step}`, notTheEnd: "This is not the end",
      stuck: "No completion is Great.", stuckMore: "Write the step yourself, or give up.",
      ends: "The final answer is reached.",
      ownTitle: (step: number) => `Your own step ${step}`, ownText: "Text, with LaTeX between dollar signs", preview: "Preview",
      ownHint: "The last step states the answer: $\\boxed{…}$, or a line “# Answer” and the answer below it.", ownEnds: "This states a final answer.",
      useOwn: "Use this step",
    },
    copy: "Copy", copied: "Copied", notCopied: "The browser did not allow copying", textSize: (size: number, all: number) => `Text size ${size} of ${all}`,
    smaller: "Smaller text", larger: "Larger text", tools: "Tools", toolNames: { history: "History", help: "Keys" }, hideProblem: "Fold", showProblem: "Unfold",
    compare: {
      short: "What changed", on: "Changes are marked", off: "Changes are no longer marked",
      first: "This is the first step: nothing to compare it with",
      legend: "Against the step before:", little: "Little in common with the step before:", fresh: "new", gone: "gone",
    },
    calculator: {
      title: "Calculator", line: "Calculation", placeholder: "3/4 * 1,200 + 15%", history: "Earlier calculations", reuse: "Use this line again",
      hint: "+ − * / ^ ! % ( ) sqrt pi. Enter keeps a line, ↑ brings it back.",
      troubles: {
        unreadable: "This cannot be read to its end.", too_long: "This line is too long.", too_large: "Too large for this calculator.",
        division_by_zero: "Division by zero.", no_real_number: "No real number.", not_whole: "! needs a whole number, zero or more.",
      },
    },
    guidelines: {
      title: "Guidelines", open: "Guidelines of this phase", none: "This phase has no guidelines of its own.", version: (version: number) => `Version ${version}`,
      changed: "Changed since you last read them.", news: { "": "", unread: "not read yet", changed: "changed" },
    },
    keys: {
      title: "Keys", how: "Press a row, then the key that you want for it.", waiting: "Press a key …", reset: "Back to the usual keys",
      press: (what: string) => `Press a key for “${what}”. Escape: leave it.`,
      taken: (key: string) => `${key} is needed by the browser or by this page’s buttons. Press another key.`,
      assigned: (key: string, what: string) => `${key} now means “${what}”.`,
      moved: (what: string, keys: string) => (keys === "" ? `“${what}” has no key any more.` : `“${what}” now has ${keys}.`),
      isReset: "All keys are the usual ones.",
    },
    tour: {
      invite: "New here?", start: "A short tour", skip: "No, thank you", again: "Take the tour again",
      labels: { skip: "Skip", back: "Back", next: "Next", close: "Start labelling", stepCounter: (now: number, all: number) => `${now} of ${all}` },
      cards: (kind: "solutions" | "alternatives", key: (command: TourKey) => string) => [
        { part: "problem", title: "The problem stays in view", text: "Below it stands the answer on file. It may be wrong: judge the steps by the mathematics." },
        kind === "solutions"
          ? { part: "step", title: "One step at a time", text: "Read the step in focus. Is it right, can it be checked, and does it help, given the steps before it?" }
          : { part: "step", title: "Several ways to go on", text: "These are completions of one step. Judge each by itself: is it right, can it be checked, and does it help, given the steps before it?" },
        {
          part: "ratings", title: "One key rates it",
          text: `${key("great")} Great, ${key("okay")} Okay, ${key("bad")} Bad, ${key("unsure")} Unsure. ${kind === "solutions"
            ? "The next step comes by itself; the first Bad one ends the task."
            : `The next one comes by itself. A Great one goes on: ${key("choose")} takes another Great one instead, ${key("write")} writes the step yourself.`} ${key("undo")} takes the last rating back.`,
        },
        {
          part: "tools", title: "Help for a closer look",
          text: `${key("calculator")} opens a calculator, ${key("compare")} shows what changed against the step before. ${key("help")} lists all keys; each can be changed.`,
        },
        { part: "saved", title: "Nothing gets lost", text: `Every rating is saved as you go. ${key("submit")} ${kind === "solutions" ? "submits at the end" : "goes on to the next step, and submits where the final answer is reached"}, and the next task is there at once.` },
      ],
    },
    checkAgain: "Check again", carryOn: "Carry on", useHere: "Use here", backToPhases: "Back to your phases",
  },

  progress: {
    title: "Your progress", today: "today", round: "this round", total: "in total", pace: "per task", quality: "agreement",
    roundWhy: (done: number, wanted: number) => `Everybody together: ${done} of ${wanted}`,
    paceWhy: "Median active time of your last 50 tasks", qualityWhy: "With experts, on the tasks they labelled too, up to yesterday; to the nearest 5 %",
  },

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
    phase: "Phase", round: "Round", all: "All", anyone: "Somebody", detail: "Labelling", unlabelled: "Not labelled",
    reference: "Reference answer", note: "Note", own: "Written by the annotator", checked: "A check said:", earlierChecks: { all_fine_but_wrong: "All steps are fine, but the final answer is not the one on file." }, versions: "Versions", version: (number: number) => `Version ${number}`,
    search: "Filter the labellings", clear: "Clear filters", open: "Open the labelling of ",
  },

  pool: {
    title: "Pool", lead: "Every solution that can be put up for labelling, and how its answer was graded.",
    problems: "Problems", solutions: "Solutions", labelled: "Labelled", source: "Source", graded: "Graded answers",
    empty: "The pool is empty. Bring a file in on the Data page.",
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
