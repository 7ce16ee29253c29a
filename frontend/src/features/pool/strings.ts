import { count, plural } from "@/shared/format";

export const says = {
  name: "The pool", title: "Pool", lead: "Every solution that can be selected for labelling, and how its answer was graded.",
  tabs: { solutions: "Solutions", sources: "Sources" },
  filters: {
    name: "Search the pool", search: "Search", searchHint: "Problem, answer or id", source: "Source", generator: "Generator", verdict: "Verdict", labelled: "Labels",
    yes: "Labelled", no: "Not labelled", split: "Split", splits: { train: "Train", test: "Test (held out)" }, phase: "Published in", model: "Scores by",
    from: "Score from", to: "Score to", sort: "Order", sorts: { newest: "Newest first", score: "Highest score first" }, any: "Any", clear: "Clear filters",
  },
  origin: (name: string) => `Only from “${name}”`, thisRun: "one import or generation",
  none: "No matches.", more: "Show more", stop: "Stop", goOn: "Look further",
  looking: (looked: number) => `Looked through ${count(looked)} so far …`, stopped: (looked: number) => `Stopped after ${count(looked)}.`,
  unscored: "not scored", labellings: (number: number) => plural(number, "labelling"),
  solution: {
    title: "Solution", back: "All solutions", problem: "Problem", reference: "Reference answer", referenceSolution: "Reference solution", subject: "Subject", level: "Level", split: "Split",
    answer: "Answer", verdict: "Verdict", gradedBy: (grader: string) => `by ${grader}`, generator: "Generator", source: "Source", id: "Id in the file", brought: "Came with", added: "Added",
    import: (name: string) => `Import “${name}”`, generate: (name: string) => `Generation “${name}”`, unknownOrigin: "Not recorded", notInPool: "No longer in the pool: known through its labels only.",
    score: "Score", steps: "Steps", labels: "Labels", noLabels: "Nobody has labelled it yet.", gold: "Gold", version: (number: number) => `Version ${number}`, outOfService: "out of service",
    overruled: "Overruled", rounds: "Rounds", noRounds: "It was in no round yet.", rank: (rank: number) => `rank ${rank} of the selection`, asGold: "as hidden gold", withdrawn: "withdrawn",
    selections: "Selections", picked: (rank: number) => `Picked, rank ${rank}`, setAside: "Set aside", noSelections: "No selection picked it.", byExpert: "expert", alternative: (number: number) => `alternative ${number}`,
  },
} as const;
