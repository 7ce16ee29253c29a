/** Every word on the screen, in one place. Functions where a number or a name goes in. */
export const strings = {
  product: "Stepmark",
  tagline: "Reasoning, rated one step at a time.",
  unreachable: "The server cannot be reached. Check your connection.",
  retry: "Try again",
  loading: "Loading",
  cancel: "Cancel",
  close: "Close",
  previous: "Previous",
  next: "Next",
  page: (page: number) => `Page ${page}`,
  nothing: "Nothing here yet.",
  notFound: "There is no page here.",
  home: "To the start page",
  skipToContent: "Skip to the content",

  ratings: { great: "Great", okay: "Okay", bad: "Bad", unsure: "Unsure" },
  verdicts: { right: "Right", wrong: "Wrong", unsure: "Unsure" },
  finishReasons: {
    found_error: "Error found", solution: "Whole solution", bad_problem: "Bad problem", give_up: "Gave up",
  } as Record<string, string>,
  statuses: {
    queued: "Queued", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled",
    open: "Open", closed: "Closed", draft: "Draft", paused: "Paused",
  } as Record<string, string>,

  nav: {
    main: "Main", label: "Label", rounds: "Rounds", labellings: "Labellings", pool: "Pool", loop: "Loop",
    signOut: "Sign out",
    scheme: (now: string) => `Colours: ${now}. Change`, schemes: { light: "light", dark: "dark", auto: "as the system" },
    roles: { annotator: "Annotator", admin: "Admin", ml_staff: "ML staff" } as Record<string, string>,
  },

  signIn: {
    title: "Sign in", username: "User name", password: "Password", submit: "Sign in",
    about: "People rate each step of a model’s solution. A reward model learns from the ratings, and picks what is worth rating next.",
  },

  phases: {
    title: "Your work",
    lead: "Pick a phase. You rate a solution step by step, until its end or its first mistake.",
    start: "Start labelling", empty: "No phase is open to you at the moment. Ask an admin to add you to one.",
    round: (number: number) => `Round ${number}`,
    today: "today", total: "in total",
    kinds: { solutions: "Whole solutions", alternatives: "Alternatives" } as Record<string, string>,
    notMember: "You have not been added to this phase.", noRound: "No round is open just now.", noTasks: "You have labelled everything in this round.", notRunning: "This phase is not running.",
    enterHint: "Enter starts the first one",
  },

  label: {
    problem: "Problem", solution: "Solution", guess: "Current guess",
    guessNote: "The answer on file. It may be wrong: judge the steps by the mathematics.",
    step: (step: number) => `Step ${step}`, stepOf: (step: number, all: number) => `Step ${step} of ${all}`,
    rateStep: (step: number) => `Rating of step ${step}`,
    rated: (step: number, word: string) => `Step ${step}: ${word}.`,
    notLabelled: "Not labelled", notLabelledWhy: "Steps after the first bad one are not labelled.",
    goTo: (step: number, word: string) => `Step ${step}, rated ${word}. Change it`,
    addNote: "Add a note", note: (step: number) => `Note on step ${step}`, notePlaceholder: "What should a reader know about this step?",
    undo: "Undo", help: "Keys and guide", activeTime: "Active time",
    badProblem: "Bad problem", giveUp: "Give up", release: "Give the task back",
    releaseDone: "The task went back to the queue.",
    progress: (done: number, all: number) => `${done} of ${all} steps rated`,
    foundError: (step: number) => `Error found at step ${step}`, wholeSolution: "The whole solution is fine",
    foundErrorMore: "Later steps stay unlabelled.", wholeSolutionMore: "No step is bad.",
    lastStepHint: "If the solution stops before it is complete, its last step is Bad.",
    submit: "Submit", submitting: "Submitting", submitFailed: "Not submitted yet.",
    submitted: "Submitted. Here is the next one.",
    saves: {
      saved: "Saved", saving: "Saving", unsaved: "Not saved yet", offline: "Offline: kept here, will be saved when you are back",
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
    },
    helpTitle: "Keys and guide", keysTitle: "Keys", guideTitle: "What the ratings mean", instructionsTitle: "This phase",
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
      phase_not_running: { title: "This phase is paused", text: "Staff have stopped this phase for now. Your work so far is safe." },
      lost: { title: "This task is no longer open here", text: "It was given back after a long pause, submitted already, or opened in another tab. What you had saved is kept." },
      unsupported: { title: "This kind of phase is not available here", text: "Rating several alternatives per step needs another screen." },
      failed: { title: "The task could not be loaded", text: "" },
    },
    checkAgain: "Check again", carryOn: "Carry on", backToPhases: "Back to your phases",
  },

  labellings: {
    title: "Labellings", lead: "What was submitted, newest first.",
    problem: "Problem", annotator: "Annotator", finish: "Finish", ratings: "Ratings", time: "Active time", submitted: "Submitted",
    phase: "Phase", round: "Round", all: "All", anyone: "Somebody", detail: "Labelling", chosen: "chosen", unlabelled: "Not labelled",
    lineage: "Where it came from", selection: "Selection", rewardModel: "Reward model", none: "none",
    reference: "Reference answer", note: "Note", clear: "Clear filters", open: (problem: string) => `Open the labelling of ${problem}`,
  },

  rounds: {
    title: "Rounds", lead: "A round is one batch of tasks. Close it to stop handing them out; labels already given stay.",
    progress: (done: number, wanted: number) => `${done} of ${wanted} labellings`, tasks: (tasks: number) => `${tasks} tasks`,
    opened: "Opened", closed: "Closed", close: "Close round", confirm: "Close it? Unfinished tasks go away from the annotators.",
    empty: "No round yet. Publish a selection from the Loop page to open one.",
  },

  pool: {
    title: "Pool", lead: "Every solution that can be put up for labelling, and how its answer was graded.",
    problems: "Problems", solutions: "Solutions", labelled: "Labelled", source: "Source", graded: "Graded answers",
    empty: "The pool is empty. Fill it with `python manage.py import_solutions`, or `make demo`.",
  },

  workers: {
    none: "No worker is running",
    what: "Jobs wait in the queue until one is. Start everything with",
    command: "make run",
  },

  loop: {
    title: "Loop", lead: "Labels train a reward model; the model picks what is most worth labelling next.",
    readOnly: "You can watch the loop. ML staff start and stop its jobs.",
    stages: {
      train: { title: "Train", text: "Learn a reward model from the labels so far." },
      score: { title: "Score", text: "Let the model score the solutions in the pool." },
      select: { title: "Select", text: "Pick the most convincing wrong answers." },
      publish: { title: "Publish", text: "Put the picks up as the next round." },
    },
    start: { train: "Train a model", score: "Score the pool", select: "Select", publish: "Publish round" },
    more: "Settings", fewer: "Fewer settings", never: "Not run yet", history: "Earlier runs", attempts: (attempts: number) => `attempt ${attempts}`,
    by: (owner: string) => `by ${owner}`, took: (time: string) => `took ${time}`, elapsed: (time: string) => `${time} so far`,
    cancel: "Cancel", cancelling: "Cancelling", retry: "Retry",
    fields: {
      name: "Name", base: "Base model", baseHint: "A path or hub name. Empty: a small model made on the spot.", epochs: "Epochs",
      learningRate: "Learning rate", automatic: "Automatic", seed: "Seed", rewardModel: "Reward model", phase: "Phase", policy: "Policy", size: "How many solutions",
      perProblem: "At most per problem", wrongShare: "Share of wrong answers", overlap: "Labellings per task", selection: "Selection", phases: "Labels of phases", allPhases: "All phases",
    },
    policies: { convincing: "Most convincing wrong", uncertainty: "Most uncertain", uniform: "Uniform (baseline)" },
    noModel: "Train a model first.", noPhase: "No phase is running.", noSelection: "Make a selection first.",
    loss: "Training loss", lossPlot: (first: string, last: string) => `Training loss, from ${first} to ${last}`, batch: "batch",
    auc: "Held-out step AUC", accuracy: "Accuracy", heldOutLoss: "Held-out loss", snapshot: "Snapshot",
    trainedOn: (labellings: string, labels: string) => `${labellings} labellings, ${labels} labels`,
    scored: (scored: string) => `${scored} solutions scored`,
    picked: "Picked", wrong: "Graded wrong", candidates: "Candidates", meanScore: "Mean score of the picks", poolMeanScore: "Mean score of the pool",
    preview: "Look at the picks", previewTitle: "What would be published", rank: "Rank", problem: "Problem", answers: "Answer · reference", given: "Answer", reference: "Reference",
    verdict: "Verdict", score: "Score", why: "Why", published: (round: number) => `Round ${round} is open`, isPublished: "Published", notPublished: "Not published yet",
    models: "Reward models", current: "Current", promote: "Make current", model: "Model", trained: "Trained", heldOut: "Held-out AUC", labels: "Labels", madeOnTheSpot: "Small model made on the spot",
    noModels: "No reward model yet.", showSteps: "Steps",
  },
} as const;
