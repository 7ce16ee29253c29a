import { plural } from "@/shared/format";

/** How a round is made: the same words wherever it is. */
export const says = {
  policy: "Policy",
  model: "Reward model",
  size: "Solutions",
  each: "Per problem",
  anyNumber: "At most; empty: any number.",
  share: "Share of wrong answers",
  shareHint: "The rest is the best of what remains, right or wrong.",
  source: "Source",
  allSources: "All of the phase’s sources",
  wholePool: "The whole pool",
  isFresh: "Leave out what another phase has published",
  aside: "Set aside probable grader errors",
  seed: "Seed",
  seedHint: "Decides ties, the draw and the serving order.",
  overlap: "Labellings per task",
  gold: "Hidden gold",
  noGold: "None",
  policies: {
    convincing: "Most convincing wrong answers",
    uncertainty: "Most uncertain",
    uniform: "Uniformly at random (baseline)",
  },
  policyHints: {
    convincing: "Wrong answers that the model takes for right: each shows the model something new.",
    uncertainty: "Solutions that the model scores near one half.",
    uniform: "A plain sample of the pool, to compare the others with. It needs no model.",
  },
  current: (name: string | undefined) => (name ? `The current one (${name})` : "The current one"),
  noModel: "There is no reward model yet: the first round is drawn uniformly.",
  ofPhase: (what: string | number) => `Phase setting: ${what}`,
  set: (name: string, drawn: number, solutions: number) =>
    `${name} (${drawn === solutions ? solutions : `${drawn} of ${solutions}`})`,
  reach: (drawn: number, solutions: number) =>
    `${drawn === solutions ? `All ${solutions}` : `${drawn} of ${solutions}`} can be hidden${drawn < solutions ? "; the others are from outside the phase’s sources" : ""}.`,
  without: (people: number) =>
    `${plural(people, "annotator")} of the phase ${people === 1 ? "knows" : "know"} all of it, from screening for example, and ${people === 1 ? "gets" : "get"} none.`,
  rate: (share: string) => `${share} of what an annotator gets is gold.`,
  noRate: "None of it is served: the phase’s share of tasks that is gold is 0 %.",
  nothing: "Nothing was picked: no solution is left for this phase.",
  fewer: (found: number, wanted: number) => `${found} of the ${wanted} requested; there are no more matches.`,
  hidden: (hidden: number, inSet: number, name: string) =>
    `${hidden} of the ${inSet} solutions in gold set “${name}” ${hidden === 1 ? "is" : "are"} hidden in it`,
};
