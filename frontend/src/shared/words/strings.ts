import type { Role } from "@/api/types";

/** What several places say. Functions where a number or a name goes in. */
export const strings = {
  /** "rtl" for languages written from right to left. */
  direction: "ltr" as "ltr" | "rtl",
  language: "en",
  product: "Stepmark",
  unreachable: "The server cannot be reached. Check your connection.",
  restarting: "The server is being restarted, or is overloaded.",
  keptHere: "Your work is kept in this browser and sent by itself.",
  retry: "Try again",
  crashed: "Something went wrong, or Stepmark was updated. Reload to continue.",
  notLoaded: "This part could not be loaded.",
  reload: "Reload",
  loading: "Loading",
  drawing: "A drawing, as code",
  brokenFormula: "This formula could not be drawn; this is its source",
  showWhole: (characters: string) => `Show all ${characters} characters`,
  cancel: "Cancel",
  close: "Close",
  copy: { do: "Copy", done: "Copied", failed: "Not copied" },
  notFound: "Page not found.",
  anyone: "Anyone",
  home: "Go to the start page",
  skipToContent: "Skip to the content",

  ratings: { great: "Great", okay: "Okay", bad: "Bad", unsure: "Unsure" },

  nav: {
    main: "Main",
    menu: "Menu",
    account: "Your account",
    signOut: "Sign out",
    stillIn: "You are still signed in",
    unsent:
      "Some of your work has not reached the server. On a shared computer nothing is kept after you sign out, so it would be lost.",
    stay: "Stay signed in",
    signOutLosing: "Sign out and lose it",
    scheme: (now: string) => `Colours: ${now}. Change`,
    schemes: { light: "light", dark: "dark", auto: "as the system" },
    roles: { annotator: "Annotator", admin: "Admin", ml_staff: "ML staff" } satisfies Record<Role, string>,
    superuser: "Superuser",
  },

  phases: {
    round: (number: number) => (number === -1 ? "Screening" : number === -2 ? "Quality control" : `Round ${number}`),
  },

  label: {
    problem: "Problem",
    solution: "Solution",
    step: (step: number) => `Step ${step}`,
    rateStep: (step: number) => `Rating of step ${step}`,
    rated: (name: string, word: string) => `${name}: ${word}.`,
    undo: "Undo",
    tookBack: (word: string, name: string) => `Took back: ${word} on ${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    progress: (done: number, all: number) => `${done} of ${all} steps rated`,
    foundError: (step: number) => `Error found at step ${step}`,
    foundErrors: (steps: number) => `Errors found at ${steps} steps`,
    wholeSolution: "The whole solution is fine",
    foundErrorMore: "Later steps stay unlabelled.",
    lastStepHint: "If the solution stops before it is complete, its last step is Bad.",
    guideTitle: "What the ratings mean",
    guide: {
      great: "Correct, can be verified in about half a minute, fits what came before, and moves the solution on.",
      okay: "Reasonable and correct, but adds nothing: a repetition, a remark, a plan.",
      bad: "Anything else: wrong, gibberish, cannot be verified, or a dead end. The first Bad step ends the labelling.",
      unsure: "You cannot tell. The step is flagged and gets no rating.",
    },
    beside: {
      alternative: (letter: string) => `Alternative ${letter}`,
      critique: (letter: string) => `Critique ${letter}`,
      progress: "How far had the solution got before the mistake?",
      progressOf: { none: "Nowhere", some: "Part of the way", most: "Most of the way", almost: "Almost there" },
    },
    completions: {
      own: "Your own step",
    },
    copied: "Copied",
    notCopied: "The browser did not allow copying",
    tools: "Tools",
    toolNames: { history: "History", help: "Keys" },
    guidelines: "Guidelines",
    backToPhases: "Back to your phases",
  },

  progress: {
    title: "Your progress",
    today: "today",
    round: "this round",
    total: "in total",
    pace: "per task",
    quality: "agreement",
    roundWhy: (done: number, wanted: number) => `All annotators: ${done} of ${wanted}`,
    paceWhy: "Median active time of your last 50 tasks",
    qualityWhy: "With experts, on the tasks they labelled too, up to yesterday; to the nearest 5 %",
  },
} as const;
