/** How a round is made: the same words wherever it is. */
export const says = {
  anyNumber: "At most; empty: any number.",
  overlap: "Labellings per task",
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
  ofPhase: (what: string | number) => `Phase setting: ${what}`,
  set: (name: string, drawn: number, solutions: number) =>
    `${name} (${drawn === solutions ? solutions : `${drawn} of ${solutions}`})`,
  fewer: (found: number, wanted: number) => `${found} of the ${wanted} requested; there are no more matches.`,
  hidden: (hidden: number, inSet: number, name: string) =>
    `${hidden} of the ${inSet} solutions in gold set “${name}” ${hidden === 1 ? "is" : "are"} hidden in it`,
};
